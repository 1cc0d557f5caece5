/** Pages of apps, by what their styles say of elements. Tests measure that the components look the same in all of them. */
export interface HostPage {
  readonly title: string
  /** The styles of a framework, which a page loads before the kit's. */
  readonly framework?: () => Promise<string>
  /** The app's own styles, which a page loads after the kit's. */
  readonly own?: string
  /** Whether an app of this kind takes `styles.layer.css`. */
  readonly isLayered?: boolean
}

/** What create-next-app writes without Tailwind. */
const next = `
  html, body { max-width: 100vw; overflow-x: hidden }
  body { display: flex; flex-direction: column; color: light-dark(#171717, #ededed); font-family: Arial, sans-serif }
  * { box-sizing: border-box; padding: 0; margin: 0 }
  a { color: inherit; text-decoration: none }`

/** What create-vite writes for React: today's template, and the rules for links and buttons that it had until Vite 7. */
const vite = `
  :root { font: 18px / 145% system-ui, sans-serif; letter-spacing: 0.18px; color: light-dark(#6b6375, #9ca3af) }
  #root, #storybook-root { text-align: center; display: flex; flex-direction: column; box-sizing: border-box }
  h1, h2 { font-weight: 500; color: light-dark(#08060d, #f3f4f6) }
  h2 { font-size: 24px; line-height: 118%; letter-spacing: -0.24px; margin: 0 0 8px }
  p { margin: 0 }
  code { display: inline-flex; font-size: 15px; padding: 4px 8px }
  a { font-weight: 500; color: #646cff; text-decoration: inherit }
  button {
    border-radius: 8px; border: 1px solid transparent; padding: 0.6em 1.2em; font-size: 1em; font-weight: 500;
    background-color: light-dark(#f9f9f9, #1a1a1a); transition: border-color 0.25s;
  }`

const rude = `
  :root { font-size: 62.5% }
  body { line-height: 1.1; text-align: center }
  * { box-sizing: content-box; margin: 0.3em }
  a { color: red }
  button { all: unset }
  label { text-transform: uppercase }`

export const hostPages = {
  next: { title: 'create-next-app', own: next },
  vite: { title: 'Vite template', own: vite },
  tailwind3: {
    title: 'Tailwind 3',
    framework: async () => (await import('@unocss/reset/tailwind.css?inline')).default,
  },
  tailwind4: {
    title: 'Tailwind 4',
    framework: async () => {
      const [{ compile }, { default: styles }] = await Promise.all([
        import('tailwindcss'),
        import('tailwindcss/index.css?raw'),
      ])
      return `@layer theme, base, petstore, components, utilities;${(await compile(styles)).build([])}`
    },
    isLayered: true,
  },
  bootstrap: {
    title: 'Bootstrap 5',
    framework: async () => (await import('bootstrap/dist/css/bootstrap.min.css?inline')).default,
  },
  pico: {
    title: 'Pico, in a layer',
    framework: async () => `@layer pico {${(await import('@picocss/pico/css/pico.min.css?inline')).default}}`,
  },
  normalize: {
    title: 'modern-normalize',
    framework: async () => (await import('modern-normalize/modern-normalize.css?inline')).default,
  },
  rude: { title: 'A rude page', own: rude },
} satisfies Readonly<Record<string, HostPage>>

export type HostName = keyof typeof hostPages
