import { expect } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { CategoryList, useCategories } from '../src/index.ts'
import type { Fault, PetstoreService } from '../src/testing.ts'

/** The service's categories, in the order in which it sends them. */
const meta = preview.meta({ title: 'CategoryList', component: CategoryList })

/** Always, so that the story stays in its state whatever is pressed. */
const alwaysFails = (fault: Fault) => (service: PetstoreService) => service.failNext(fault, 1000)

/** Talks to a live service, when one is chosen in the toolbar or by environment variables. */
export const Default = meta.story({
  parameters: { petstore: { live: true } },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('list')).toBeVisible()
  },
})

/** The rows' places show after 300 ms, so that a quick answer does not flash. */
export const Loading = meta.story({
  parameters: { petstore: { latency: 1, sleep: () => new Promise(() => {}) } },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('region', { name: 'Categories' })).toHaveAttribute('aria-busy', 'true')
    await expect(canvas.getByText('Loading categories…')).toBeInTheDocument()
  },
})

export const Empty = meta.story({
  parameters: { petstore: { categories: [] } },
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('No categories yet')).toBeVisible()
    await expect(canvas.queryByRole('list')).not.toBeInTheDocument()
  },
})

export const Failed = meta.story({
  parameters: { petstore: { prepare: alwaysFails({ status: 500 }) } },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('alert')).toHaveTextContent('The service has a problem')
    await expect(canvas.getByRole('button', { name: 'Try again' })).toBeVisible()
  },
})

/** The service fails once; "Try again" brings the rows. */
export const FailedThenRetried = meta.story({
  parameters: { petstore: { prepare: (service) => service.failNext({ connection: 'lost-before' }) } },
  play: async ({ canvas, userEvent }) => {
    await expect(await canvas.findByRole('alert')).toHaveTextContent('No connection')
    await userEvent.click(canvas.getByRole('button', { name: 'Try again' }))
    await expect(await canvas.findByText('Rabbit')).toBeVisible()
    await expect(canvas.queryByRole('alert')).not.toBeInTheDocument()
  },
})

let refreshed: PetstoreService | undefined

function RefreshButton() {
  const { refresh } = useCategories()
  return (
    <p>
      <button type="button" className="petstore-button" onClick={() => void refresh()}>
        Refresh
      </button>
    </p>
  )
}

/** What was there stays when a later request fails. */
export const RefreshFailed = meta.story({
  parameters: { petstore: { prepare: (service) => (refreshed = service) } },
  render: (args) => (
    <>
      <RefreshButton />
      <CategoryList {...args} />
    </>
  ),
  play: async ({ canvas, userEvent }) => {
    await canvas.findByText('Rabbit')
    refreshed?.failNext({ connection: 'lost-before' }, 1000)
    await userEvent.click(canvas.getByRole('button', { name: 'Refresh' }))
    await expect(await canvas.findByRole('alert')).toHaveTextContent('No connection')
    await expect(canvas.getByText('Rabbit')).toBeVisible()
  },
})

export const Unauthorized = meta.story({
  parameters: { petstore: { apiKey: 'not-the-key' } },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('alert')).toHaveTextContent('Not signed in')
  },
})

/** "Try again" sends nothing before the minute is over. */
export const RateLimited = meta.story({
  parameters: {
    petstore: { prepare: (service) => service.failNext({ status: 429, headers: { 'Retry-After': '60' } }) },
  },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('alert')).toHaveTextContent('Too many requests')
  },
})

/** Each text runs in its own direction. Nothing is cut off, and nothing runs out of the frame. */
export const ManyWords = meta.story({
  parameters: {
    petstore: {
      categories: [
        { name: 'قطط', description: 'تنام طوال النهار وتلعب طوال الليل' },
        { name: 'うさぎ', description: '耳が長くて、にんじんが大好きです' },
        { name: '🐢 Turtles 🐢', description: 'Slow, steady, 🥬' },
        { name: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'.repeat(2) },
        { name: 'No description' },
        {
          name: 'Dogs, and all those who would like to be one, or at least to be treated like one',
          description: 'A description that goes on and on, as such texts do when nobody reads them twice. '.repeat(6),
        },
      ],
    },
  },
  play: async ({ canvas, canvasElement }) => {
    await expect(await canvas.findByText('No description')).toBeVisible()
    await expect(canvas.getAllByRole('listitem')).toHaveLength(6)
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth)
  },
})

export const RightToLeft = meta.story({
  parameters: {
    petstore: {
      categories: [
        { name: 'قطط', description: 'تنام طوال النهار وتلعب طوال الليل' },
        { name: 'כלבים', description: 'נאמנים, ותמיד רעבים' },
        { name: 'Rabbit', description: 'Soft ears, sharp teeth' },
      ],
    },
  },
  decorators: [
    (Story) => (
      <div dir="rtl">
        <Story />
      </div>
    ),
  ],
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('כלבים')).toBeVisible()
  },
})

export const Dark = meta.story({
  globals: { theme: 'dark' },
  tags: ['!autodocs'], // it would darken the whole page
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('Rabbit')).toBeVisible()
  },
})

/** 240 px: the narrowest that is supported. Failed, since the notice has most to fit in. */
export const Narrow = meta.story({
  parameters: { petstore: { prepare: alwaysFails({ connection: 'lost-before' }) } },
  decorators: [
    (Story) => (
      <div style={{ inlineSize: 240 }}>
        <Story />
      </div>
    ),
  ],
  play: async ({ canvas }) => {
    const notice = await canvas.findByRole('alert')
    await expect(notice.scrollWidth).toBeLessThanOrEqual(notice.clientWidth)
    await expect(notice.getBoundingClientRect().width).toBeLessThanOrEqual(240)
  },
})
