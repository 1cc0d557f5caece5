import { expect, fn } from 'storybook/test'
import { alwaysFail, neverRespond } from '../.storybook/faults.ts'
import preview from '../.storybook/preview.tsx'
import { CategoryList } from '../src/components/CategoryList/CategoryList.tsx'
import { useCreateCategory, type WaitReason } from '../src/index.ts'
import { failableService } from './support/failableService.ts'
import { heldBack } from './support/heldBack.ts'
import { formatOf, labelsOf, waitPattern } from './support/labelsOf.ts'
import { expectNarrowFit, narrow } from './support/layouts.tsx'
import type { PlayContext } from './support/PlayContext.ts'
import { stallableService } from './support/stallableService.ts'
import { waitsFor } from './support/waitsFor.ts'

const meta = preview.meta({ title: 'Components/CategoryList', id: 'categorylist', component: CategoryList })

async function expectWait(
  context: Pick<PlayContext, 'canvas' | 'globals'>,
  reason: WaitReason,
  isEarliest = false,
): Promise<void> {
  const sentence = labelsOf(context).categoryList.waiting
  await expect(await context.canvas.findByText(waitPattern(sentence, reason, isEarliest))).toBeVisible()
}

/** Uses the live service, if you choose one in the toolbar or in environment variables. */
export const Default = meta.story({
  parameters: { petstore: { live: true } },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('list')).toBeVisible()
  },
})

/** Try the props in the controls. */
export const Playground = meta.story({
  args: {
    order: 'service',
    filterable: true,
    refreshable: true,
    selectionMode: 'multiple',
    onSelectionChange: fn(),
  },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('checkbox', { name: /^Dog/ })).toBeVisible()
  },
})

/** The skeleton appears after 300 ms, so that a quick response does not flash. The filter works already. */
export const Loading = meta.story({
  parameters: { petstore: neverRespond },
  play: async (context) => {
    const { canvas } = context
    const { name, loading } = labelsOf(context).categoryList
    await expect(canvas.getByRole('region', { name })).toHaveAttribute('aria-busy', 'true')
    await expect(canvas.getByText(loading)).toBeInTheDocument()
  },
})

/** The request limit holds the first load back. It starts on its own when the wait is over. */
export const Waiting = meta.story({
  parameters: { petstore: heldBack(600) },
  play: async (context) => expectWait(context, 'rate-limit'),
})

/** Requests fail without a response. The list loads when the service can be reached again. */
export const WaitingForConnection = meta.story({
  parameters: { petstore: waitsFor('connection', 48) },
  play: async (context) => expectWait(context, 'connection'),
})

/** The service has a problem: it responds with a 503, for example. The list tries again on its own. */
export const WaitingForService = meta.story({
  parameters: { petstore: waitsFor('service', 48) },
  play: async (context) => expectWait(context, 'service'),
})

/** The wait may become longer: it is not known yet whether the request limit is enough for this request by then. */
export const WaitingAtTheEarliest = meta.story({
  parameters: { petstore: waitsFor('rate-limit', 48, true) },
  play: async (context) => expectWait(context, 'rate-limit', true),
})

/** Other tabs of this site have waited longer, so their requests go first. */
export const WaitingForOtherTabs = meta.story({
  parameters: { petstore: waitsFor('other-tabs', 48) },
  play: async (context) => expectWait(context, 'other-tabs'),
})

/** The service has no categories yet. */
export const Empty = meta.story({
  parameters: { petstore: { categories: [] } },
  play: async (context) => {
    const { canvas } = context
    await expect(await canvas.findByText(labelsOf(context).categoryList.empty)).toBeVisible()
    await expect(canvas.queryByRole('list')).not.toBeInTheDocument()
  },
})

/** `emptyAction` adds a button below the text. */
export const EmptyWithAction = meta.story({
  args: {
    emptyAction: (
      <button type="button" className="petstore-button petstore-button-primary">
        Create the first one
      </button>
    ),
  },
  parameters: { petstore: { categories: [] } },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('button', { name: 'Create the first one' })).toBeVisible()
  },
})

/** Nothing could be loaded. The notice says why, and has a button that tries again. */
export const Failed = meta.story({
  parameters: { petstore: { prepare: alwaysFail({ status: 500 }) } },
  play: async (context) => {
    const { canvas } = context
    const { errors, retry } = labelsOf(context).errorNotice
    await expect(await canvas.findByText(errors.server.title)).toBeVisible()
    await expect(canvas.getByRole('button', { name: retry })).toBeVisible()
  },
})

/** The service fails once. “Try again” loads the rows and moves focus to the list. */
export const FailedThenRetried = meta.story({
  tags: ['translated'],
  parameters: { petstore: { prepare: (service) => service.failNext({ connection: 'lost-before' }) } },
  play: async (context) => {
    const { canvas, userEvent } = context
    const { categoryList, errorNotice } = labelsOf(context)
    const { title } = errorNotice.errors.network
    await canvas.findByText(title)
    await userEvent.click(canvas.getByRole('button', { name: errorNotice.retry }))
    await expect(await canvas.findByText('Rabbit')).toBeVisible()
    await expect(canvas.queryByText(title)).not.toBeInTheDocument()
    await expect(canvas.getByRole('region', { name: categoryList.name })).toHaveFocus()
  },
})

const refreshing = stallableService()

/** The rows stay visible. */
export const Refreshing = meta.story({
  tags: ['translated'],
  parameters: { petstore: refreshing.petstore },
  play: async (context) => {
    const { canvas, userEvent } = context
    const labels = labelsOf(context).categoryList
    await canvas.findByText('Rabbit')
    refreshing.stall()
    await userEvent.click(canvas.getByRole('button', { name: labels.refresh }))
    await expect(await canvas.findByRole('button', { name: labels.refreshing })).toHaveFocus()
    await expect(canvas.getByText('Rabbit')).toBeVisible()
  },
})

const failing = failableService()

/** The rows stay when a later request fails. */
export const RefreshFailed = meta.story({
  parameters: { petstore: failing.petstore },
  play: async (context) => {
    const { canvas, userEvent } = context
    const { categoryList, errorNotice } = labelsOf(context)
    await canvas.findByText('Rabbit')
    failing.fail({ connection: 'lost-before' })
    await userEvent.click(canvas.getByRole('button', { name: categoryList.refresh }))
    await expect(await canvas.findByText(errorNotice.errors.network.title)).toBeVisible()
    await expect(canvas.getByText('Rabbit')).toBeVisible()
  },
})

/** The key is wrong, so nothing can be loaded. */
export const Unauthorized = meta.story({
  parameters: { petstore: { apiKey: 'wrong' } },
  play: async (context) => {
    const { title } = labelsOf(context).errorNotice.errors.authentication
    await expect(await context.canvas.findByText(title)).toBeVisible()
  },
})

/** The client of this story does not wait. “Try again” sends nothing until the minute is over. */
export const RequestLimitReached = meta.story({
  parameters: {
    petstore: { prepare: (service) => service.failNext({ status: 429, headers: { 'Retry-After': '60' } }) },
  },
  play: async (context) => {
    const { title } = labelsOf(context).errorNotice.errors['rate-limit']
    await expect(await context.canvas.findByText(title)).toBeVisible()
  },
})

const creating = stallableService()

function CreateLizard() {
  const { trigger } = useCreateCategory({ optimistic: true })
  return (
    <button
      type="button"
      className="petstore-button"
      style={{ marginBlockStart: '1rem' }}
      onClick={() => void trigger({ name: 'Lizard', description: 'Green, and gone already' })}
    >
      Create a lizard
    </button>
  )
}

/** The last row shows a category that `useCreateCategory({ optimistic: true })` is creating. It has no controls yet. */
export const Pending = meta.story({
  args: { selectionMode: 'multiple' },
  parameters: { petstore: creating.petstore },
  render: (args) => (
    <>
      <CategoryList {...args} />
      <CreateLizard />
    </>
  ),
  play: async (context) => {
    const { canvas, userEvent } = context
    await canvas.findByText('Rabbit')
    creating.stall()
    await userEvent.click(canvas.getByRole('button', { name: 'Create a lizard' }))
    await expect(await canvas.findByText(labelsOf(context).categoryList.pending)).toBeVisible()
    await expect(canvas.getAllByRole('checkbox')).toHaveLength(5)
  },
})

/** The filter searches names and descriptions, and ignores case and accents. */
export const Filtered = meta.story({
  play: async (context) => {
    const { canvas, userEvent } = context
    const { filter, matches } = labelsOf(context).categoryList
    await canvas.findByText('Rabbit')
    await userEvent.type(canvas.getByRole('searchbox', { name: filter }), 'ALWAYS')
    await expect(await canvas.findByText(matches(1, 5, formatOf(context)))).toBeVisible()
    await expect(canvas.getByText('Dog')).toBeVisible()
    await expect(canvas.queryByText('Rabbit')).not.toBeInTheDocument()
  },
})

/** `noMatchAction` receives the filter’s text. */
export const NoMatch = meta.story({
  tags: ['translated'],
  args: {
    noMatchAction: (filter) => (
      // English, whatever the direction of the page, around a name in any language.
      <button type="button" className="petstore-button petstore-button-primary" dir="auto">
        Create “<bdi>{filter}</bdi>”
      </button>
    ),
  },
  play: async (context) => {
    const { canvas, userEvent } = context
    await canvas.findByText('Rabbit')
    await userEvent.type(canvas.getByRole('searchbox'), 'Lizard')
    await expect(await canvas.findByText(labelsOf(context).categoryList.noMatch('Lizard'))).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Create “Lizard”' })).toBeVisible()
  },
})

/** Without filter and refresh: `filterable={false}` and `refreshable={false}`. */
export const Plain = meta.story({
  args: { filterable: false, refreshable: false },
  play: async ({ canvas }) => {
    await canvas.findByText('Rabbit')
    await expect(canvas.queryByRole('searchbox')).not.toBeInTheDocument()
    await expect(canvas.queryByRole('button')).not.toBeInTheDocument()
  },
})

/** Sorted by name, in the alphabetical order of the language. */
export const OrderedByName = meta.story({
  args: { order: 'name' },
  play: async ({ canvas }) => {
    await canvas.findByText('Rabbit')
    const [first] = canvas.getAllByRole('listitem')
    await expect(first).toHaveTextContent('Budgerigar')
  },
})

/** The list shows 200 rows at first. */
export const ManyRows = meta.story({
  parameters: { petstore: { categories: 450 } },
  play: async (context) => {
    const { canvas, userEvent } = context
    const { shown, showMore } = labelsOf(context).categoryList
    // By text: queries by role compute the name of every row.
    await expect(await canvas.findByText(shown(200, 450, formatOf(context)))).toBeVisible()
    await userEvent.click(canvas.getByText(showMore(200, formatOf(context))))
    await expect(canvas.getByText('Dog 201').closest('li')).toHaveFocus()
  },
})

/** One category can be chosen. */
export const SingleSelection = meta.story({
  args: { selectionMode: 'single', onSelectionChange: fn() },
  play: async ({ canvas, userEvent, args }) => {
    await userEvent.click(await canvas.findByText('Rabbit'))
    await expect(canvas.getByRole('radio', { name: 'Rabbit' })).toBeChecked()
    await expect(args.onSelectionChange).toHaveBeenLastCalledWith(['3'])
  },
})

/** Rows that the filter hides stay selected. */
export const MultipleSelection = meta.story({
  args: { selectionMode: 'multiple', onSelectionChange: fn() },
  play: async (context) => {
    const { args, canvas, userEvent } = context
    await userEvent.click(await canvas.findByText('Rabbit'))
    await userEvent.click(canvas.getByRole('checkbox', { name: 'Dog' }))
    await expect(args.onSelectionChange).toHaveBeenLastCalledWith(['3', '1'])
    await expect(canvas.getByText(labelsOf(context).categoryList.selected(2, formatOf(context)))).toBeVisible()
  },
})

/** Shift and a click change all rows from the one clicked before. “Select all” selects the rows that match the filter. */
export const RangeSelection = meta.story({
  args: { selectionMode: 'multiple', onSelectionChange: fn() },
  play: async (context) => {
    const { args, canvas, userEvent } = context
    await userEvent.click(await canvas.findByText('Cat'))
    await userEvent.keyboard('{Shift>}')
    await userEvent.click(canvas.getByRole('checkbox', { name: 'Guinea pig' }))
    await userEvent.keyboard('{/Shift}')
    await expect(args.onSelectionChange).toHaveBeenLastCalledWith(['2', '3', '4'])
    await expect(canvas.getByRole('button', { name: labelsOf(context).categoryList.selectAll })).toBeVisible()
  },
})

/** `actions` adds buttons to each row. Their accessible names include the category’s name. */
export const Actions = meta.story({
  args: {
    selectionMode: 'multiple',
    actions: ({ name }) => (
      <button type="button" className="petstore-button" aria-label={`Show ${name}`}>
        Show
      </button>
    ),
  },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('button', { name: 'Show Rabbit' })).toBeVisible()
  },
})

/** `renderItem` replaces the name and the description. */
export const CustomRows = meta.story({
  args: {
    renderItem: ({ id, name }) => (
      <>
        <code>{id}</code> {name}
      </>
    ),
  },
  play: async ({ canvas }) => {
    await canvas.findByText('Rabbit')
    await expect(canvas.getByText('3')).toBeVisible()
  },
})

/** `labels` changes the texts of this list. The provider’s `labels` changes those of all components. */
export const CustomLabels = meta.story({
  args: { labels: { name: 'Kinds of pets', filter: 'Find a kind of pet', total: (count) => `${count} kinds` } },
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('5 kinds')).toBeVisible()
    await expect(canvas.getByRole('region', { name: 'Kinds of pets' })).toBeVisible()
  },
})

/** Each text keeps its own direction. Long words wrap instead of overflowing. */
export const LongTexts = meta.story({
  args: { selectionMode: 'multiple' },
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

/** In Arabic, mirrored. */
export const RightToLeft = meta.story({
  args: { selectionMode: 'multiple' },
  parameters: {
    petstore: {
      categories: [
        { name: 'قطط', description: 'تنام طوال النهار وتلعب طوال الليل' },
        { name: 'כלבים', description: 'נאמנים, ותמיד רעבים' },
        { name: 'Rabbit', description: 'Soft ears, sharp teeth' },
      ],
    },
  },
  globals: { locale: 'ar', direction: 'rtl' }, // whatever the toolbar says
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('כלבים')).toBeVisible()
  },
})

export const DarkList = meta.story({
  args: { selectionMode: 'multiple' },
  globals: { theme: 'dark' },
  tags: ['!autodocs'], // the theme would apply to the whole docs page
  play: async (context) => {
    const { canvas, userEvent } = context
    await userEvent.click(await canvas.findByText('Rabbit'))
    await expect(canvas.getByText(labelsOf(context).categoryList.selected(1, formatOf(context)))).toBeVisible()
  },
})

const failingWhenNarrow = failableService()

/** 240 px, the narrowest supported width, with an error notice above the rows. */
export const Narrow = meta.story({
  args: { ...Actions.input.args },
  parameters: { petstore: { ...failingWhenNarrow.petstore, categories: 250 } },
  decorators: [narrow],
  play: async (context) => {
    const { canvas, userEvent } = context
    const { categoryList, errorNotice } = labelsOf(context)
    await canvas.findByText('Rabbit 3')
    failingWhenNarrow.fail({ connection: 'lost-before' })
    // By text: queries by role compute the name of every row.
    await userEvent.click(canvas.getByText(categoryList.refresh))
    const notice = await canvas.findByText(errorNotice.errors.network.title)
    await expect(notice).toBeVisible()
    const section = canvas.getByText('Rabbit 3').closest('section')
    await expect(section).toContainElement(notice)
    if (section) await expectNarrowFit(section)
  },
})
