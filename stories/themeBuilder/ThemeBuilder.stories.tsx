import { expect, fireEvent, fn, waitFor } from 'storybook/test'
import preview from '../../.storybook/preview.tsx'
import { saveInAddress } from '../support/saveInAddress.ts'
import { colorNames, defaultTheme, densities, neutrals, sources } from './theme.ts'
import { ThemeBuilder } from './ThemeBuilder.tsx'

const string = { name: 'string' } as const
const colors = { name: 'object', value: { light: string, dark: string } } as const

const meta = preview.meta({
  title: 'Design/Theme builder',
  id: 'theme-builder',
  component: ThemeBuilder,
  tags: ['!autodocs'], // ThemeBuilder.mdx is its page
  args: defaultTheme,
  argTypes: {
    // Storybook takes only args with a `type` from an address, and no value besides `options`.
    source: { type: string, options: Object.keys(sources) },
    neutral: { type: string, options: Object.keys(neutrals) },
    density: { type: string, options: Object.keys(densities) },
    radius: { type: 'number' },
    ...Object.fromEntries(colorNames.map((name) => [name, { type: colors }])),
  },
  parameters: {
    controls: { disable: true },
    petstore: {
      categories: [{ name: 'Dog', description: 'Loyal, and always hungry' }, { name: 'Cat' }, { name: 'Rabbit' }],
    },
  },
  render: (args, { id }) => <ThemeBuilder {...args} onChange={saveInAddress(id)} />,
})

const noFailures = /^All \d+ ratios pass$/

export const Default = meta.story({
  play: async ({ canvas }) => {
    await expect(await canvas.findByText(noFailures)).toBeVisible()
    const field = getComputedStyle(canvas.getByRole('textbox', { name: 'Accent, light, hex' }))
    const { backgroundColor, borderColor } = getComputedStyle(canvas.getByRole('combobox', { name: 'Density' }))
    await expect([backgroundColor, borderColor]).toEqual([field.backgroundColor, field.borderColor])
    await waitFor(() => expect(canvas.getAllByRole('radio', { checked: true })).toHaveLength(4))
  },
})

/** A color that is too faint for text in light: a list says which pairs fail, and fixes them. An accent needs no fix. */
export const TooFaint = meta.story({
  tags: ['deep'],
  play: async ({ canvas, userEvent }) => {
    const hex = canvas.getByRole('textbox', { name: 'Accent, light, hex' })
    await userEvent.clear(hex)
    await userEvent.type(hex, 'zzz{Tab}')
    await expect(hex).toBeInvalid()
    // As a design tool copies it.
    await userEvent.clear(hex)
    await userEvent.paste('FFE100')
    await expect(canvas.getByLabelText('Accent, light')).toHaveValue('#ffe100')
    await expect(canvas.getByLabelText('Accent, dark')).not.toHaveValue(defaultTheme.accent.dark)
    await expect(canvas.getByText(noFailures)).toBeVisible()
    // People choose a color in a dialog of the browser, which no test can reach.
    await fireEvent.change(canvas.getByLabelText('Warning, light'), { target: { value: '#ffb300' } })
    await fireEvent.change(canvas.getByLabelText('Success, light'), { target: { value: '#7be09a' } })
    await expect(canvas.getByText(/of \d+ ratios fail/)).toBeVisible()
    const fix = canvas.getByRole('button', { name: 'Fix warning on surface, text, Light' })
    await userEvent.click(fix)
    await expect(fix).not.toBeInTheDocument()
    await userEvent.click(canvas.getByRole('button', { name: 'Fix all' }))
    await expect(canvas.getByText(noFailures)).toBeVisible()
    // The story ends with what someone sees who has such a color.
    await fireEvent.change(canvas.getByLabelText('Warning, light'), { target: { value: '#ffb300' } })
    await expect(canvas.getByRole('button', { name: 'Fix all' })).toBeVisible()
    scrollTo(0, 0)
  },
})

export const Rebrand = meta.story({
  args: { accent: { light: '#7a1fa2', dark: '#e3a6ff' }, neutral: 'warm', radius: 0, density: 'compact' },
  play: async ({ canvas, userEvent }) => {
    const writeText = fn<(text: string) => Promise<void>>(async () => {})
    const { clipboard } = navigator
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
    for (const name of ['Copy CSS', 'Copy tokens', 'Copy link']) {
      await userEvent.click(canvas.getByRole('button', { name }))
    }
    await expect(await canvas.findAllByText('Copied')).toHaveLength(3)
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
    const [css, tokens, link] = writeText.mock.calls.flat()
    await expect(css).toBe(`${canvas.getByRole('region', { name: 'CSS' }).textContent}\n`)
    await expect(css).toContain('--petstore-accent: light-dark(#7a1fa2, #e3a6ff);')
    await expect(tokens).toContain('"hex": "#7a1fa2"')
    await expect(link).toContain('&args=accent.light:!hex(7a1fa2);accent.dark:!hex(e3a6ff);neutral:warm;radius:0;')
  },
})

/** The tokens are variables that the app already has. */
export const Shadcn = meta.story({
  tags: ['deep'],
  name: 'Variables of shadcn/ui',
  args: { source: 'shadcn' },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('region', { name: 'CSS' })).toHaveTextContent('--petstore-accent: var(--primary);')
  },
})

export const Tailwind = meta.story({
  tags: ['deep'],
  name: 'Variables of Tailwind 4',
  args: { source: 'tailwind' },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('region', { name: 'CSS' })).toHaveTextContent('var(--color-blue-700)')
  },
})
