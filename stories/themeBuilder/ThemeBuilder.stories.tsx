import { expect, fireEvent, fn, waitFor, within } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { ThemeBuilder } from './ThemeBuilder.tsx'

const meta = preview.meta({
  title: 'Demos/Theme builder',
  id: 'theme-builder',
  component: ThemeBuilder,
  tags: ['!autodocs'], // ThemeBuilder.mdx is its page
  argTypes: { initialTheme: { description: 'What differs from the default theme at first.', control: false } },
  parameters: {
    petstore: {
      categories: [{ name: 'Dog', description: 'Loyal, and always hungry' }, { name: 'Cat' }, { name: 'Rabbit' }],
    },
  },
})

export const Default = meta.story({
  play: async ({ canvas }) => {
    await expect(await canvas.findByText(/^All \d+ pairs of colors have enough contrast in each look\.$/)).toBeVisible()
    await waitFor(() => expect(canvas.getAllByRole('radio', { checked: true })).toHaveLength(4))
  },
})

/** An accent that is too faint for a button in light: the table says which pairs suffer, and mends them. */
export const TooFaint = meta.story({
  tags: ['deep'],
  play: async ({ canvas, userEvent }) => {
    const field = canvas.getByLabelText('Accent, light')
    // The browser's own dialog changes a color, and no test can reach it.
    await fireEvent.change(field, { target: { value: '#ffb300' } })
    await expect(canvas.getByText(/of \d+ ratios fail/)).toBeVisible()
    const row = canvas.getByRole('row', { name: /^accent on surface shape/ })
    await expect(within(row).getAllByText('fails')).toHaveLength(1)
    await userEvent.click(canvas.getByRole('button', { name: 'Fix accent on surface, shape, Light' }))
    await expect(within(row).queryByText('fails')).not.toBeInTheDocument()
    await userEvent.click(canvas.getByRole('button', { name: 'Fix all' }))
    await expect(canvas.getByText(/^All \d+ pairs of colors have enough contrast in each look\.$/)).toBeVisible()
  },
})

/** White text on a color that is too light for it: the text can change, or the color. */
export const ChosenText = meta.story({
  tags: ['deep'],
  args: { initialTheme: { accent: { light: '#e6007a', dark: '#ff7ab8' }, onAccent: 'white' } },
  play: async ({ canvas, userEvent }) => {
    const row = canvas.getByRole('row', { name: /^on-accent on accent text/ })
    await expect(within(row).getAllByText('fails')).toHaveLength(1)
    await userEvent.click(canvas.getByRole('button', { name: 'Fix on-accent on accent, text, Dark' }))
    await expect(within(row).queryByText('fails')).not.toBeInTheDocument()
  },
})

export const Rebrand = meta.story({
  args: {
    initialTheme: {
      accent: { light: '#7a1fa2', dark: '#e3a6ff' },
      neutral: 'warm',
      radius: 0,
      density: 'compact',
      font: 'serif',
      textSize: 0.9375,
    },
  },
  play: async ({ canvas, userEvent }) => {
    const writeText = fn(async () => {})
    const { clipboard } = navigator
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
    await userEvent.click(canvas.getByRole('button', { name: 'Copy CSS' }))
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
    await expect(await canvas.findByText('Copied')).toBeVisible()
    const shown = canvas.getByRole('region', { name: 'CSS' }).textContent
    await expect(writeText).toHaveBeenCalledWith(`${shown}\n`)
    await expect(shown).toContain('--petstore-accent: light-dark(#7a1fa2, #e3a6ff);')
    await userEvent.click(canvas.getByRole('button', { name: 'tokens.json' }))
    await expect(canvas.getByRole('region', { name: 'tokens.json' })).toHaveTextContent('"{palette.accent-light}"')
    await userEvent.click(canvas.getByRole('button', { name: 'Tailwind' }))
    await expect(canvas.getByRole('region', { name: 'Tailwind' })).toHaveTextContent('@theme inline')
  },
})

/** The tokens are variables that the app already has. */
export const Shadcn = meta.story({
  tags: ['deep'],
  name: 'Variables of shadcn/ui',
  args: { initialTheme: { source: 'shadcn' } },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('region', { name: 'CSS' })).toHaveTextContent('--petstore-accent: var(--primary);')
    await expect(canvas.getByText(/^All \d+ pairs of colors have enough contrast in each look\.$/)).toBeVisible()
  },
})

export const Tailwind = meta.story({
  tags: ['deep'],
  name: 'Variables of Tailwind 4',
  args: { initialTheme: { source: 'tailwind' } },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('region', { name: 'CSS' })).toHaveTextContent('var(--color-blue-700)')
    await expect(canvas.getByText(/^All \d+ pairs of colors have enough contrast in each look\.$/)).toBeVisible()
  },
})
