/** The styles of an app's page for plain elements. Tests measure that the components look the same in all such pages. */
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

// What frameworks set for elements that the components contain. Rewritten instead of copied: hosts.browser.test.tsx needs
// their selectors and the names of the properties, not the values.

/** Tailwind 3's preflight. */
const tailwind3 = `
  *, ::before, ::after { box-sizing: border-box; border: 0 solid #e5e7eb }
  html { font-family: ui-sans-serif, system-ui, sans-serif; line-height: 1.5 }
  body, blockquote, dl, dd, h1, h2, h3, h4, h5, h6, hr, figure, p, pre { margin: 0 }
  body { line-height: inherit }
  h1, h2, h3, h4, h5, h6 { font-size: inherit; font-weight: inherit }
  a { color: inherit; text-decoration: inherit }
  b, strong { font-weight: bolder }
  code, kbd, samp, pre { font-family: ui-monospace, monospace; font-size: 1em }
  table { border-collapse: collapse; border-color: inherit; text-indent: 0 }
  button, input, select, textarea {
    margin: 0; padding: 0; font: inherit; letter-spacing: inherit; color: inherit;
  }
  button, select { text-transform: none }
  button, input:where([type='button'], [type='reset'], [type='submit']) {
    appearance: button; background-color: transparent; background-image: none;
  }
  [type='search'] { appearance: textfield; outline-offset: -2px }
  summary { display: list-item }
  ol, ul, menu { margin: 0; padding: 0 }
  ol, ul, menu { list-style: none }
  textarea { resize: vertical }
  input::placeholder, textarea::placeholder { opacity: 1; color: #9ca3af }
  button, [role='button'] { cursor: pointer }
  :disabled { cursor: default }
  img, svg, video, canvas { display: block; vertical-align: middle }
  [hidden]:where(:not([hidden='until-found'])) { display: none }`

/** Bootstrap's Reboot: the part of Bootstrap without classes. */
const bootstrap = `
  *, ::before, ::after { box-sizing: border-box }
  :root { scroll-behavior: smooth }
  body { margin: 0; color: light-dark(#212529, #dee2e6); font: 1rem / 1.5 system-ui, sans-serif }
  h1, h2, h3, h4, h5, h6 { margin: 0 0 0.5rem; font-weight: 500; line-height: 1.2 }
  h1 { font-size: 2.5rem } h2 { font-size: 2rem } h3 { font-size: 1.75rem }
  p, ol, ul, dl { margin: 0 0 1rem }
  ol, ul { padding-left: 2rem }
  ol ol, ol ul, ul ol, ul ul { margin-bottom: 0 }
  dt { font-weight: 700 }
  dd { margin: 0 0 0.5rem }
  b, strong { font-weight: bolder }
  a { color: #0d6efd; text-decoration: underline }
  a:not([href]):not([class]) { color: inherit; text-decoration: none }
  code, kbd, samp { font-family: monospace; font-size: 0.875em }
  code { color: #d63384; word-wrap: break-word }
  img, svg { vertical-align: middle }
  table { caption-side: bottom; border-collapse: collapse }
  th { text-align: inherit }
  tr, td, th { border: 0 solid; border-color: inherit }
  label, output { display: inline-block }
  button { border-radius: 0 }
  button:focus:not(:focus-visible) { outline: 0 }
  input, button, select, textarea { margin: 0; font-family: inherit; font-size: inherit; line-height: inherit }
  button, select { text-transform: none }
  [role='button'] { cursor: pointer }
  button, [type='button'], [type='reset'], [type='submit'] { appearance: button }
  button:not(:disabled), [type='button']:not(:disabled), [type='submit']:not(:disabled) { cursor: pointer }
  textarea { resize: vertical }
  [type='search'] { appearance: textfield; outline-offset: -2px }
  summary { display: list-item; cursor: pointer }
  [hidden] { display: none !important }`

/** Pico, whose selectors contain attributes and states, and which uses `!important`. */
const pico = `
  :root { font: 100% / 1.5 system-ui, sans-serif; color: light-dark(#373c44, #c2c7d0) }
  @media (min-width: 576px) { :root { font-size: 106.25% } }
  @media (min-width: 1024px) { :root { font-size: 118.75% } }
  *, ::before, ::after { box-sizing: border-box; background-repeat: no-repeat }
  section, article, details { margin-bottom: 1rem }
  article { padding: 1rem; border-radius: 0.25rem; background: light-dark(#fff, #181c25); box-shadow: 2px 2px 8px #0002 }
  h1, h2, h3, h4, h5, h6 { margin: 0 0 1rem; color: light-dark(#2d3138, #dfe3eb); font-weight: 700; line-height: 1.15 }
  h2 { font-size: 1.75rem }
  :where(form, ol, p, ul) ~ :is(h1, h2, h3) { margin-top: 2.6rem }
  address, dl, ol, p, pre, table, ul { margin: 0 0 1rem; color: inherit; font-style: normal; font-weight: 400 }
  :where(ol, ul) li { margin-bottom: 0.25rem }
  ul li { list-style: square }
  :where(a:not([role='button'])) { color: #0172ad; outline: 0; text-underline-offset: 0.125em }
  :where(a:not([role='button'])):is(:hover, :active, :focus) { color: #015887 }
  button { overflow: visible; margin: 0; font-family: inherit; text-transform: none }
  button, [type='button'], [type='submit'], [role='button'] {
    padding: 0.75rem 1rem; border: 1px solid #0172ad; border-radius: 0.25rem; outline: none; background-color: #0172ad;
    box-shadow: 0 0 0 #0000; color: #fff; font-size: 1rem; font-weight: 400; line-height: 1.5; text-align: center;
    text-decoration: none; cursor: pointer; user-select: none; transition: background-color 0.2s;
  }
  :is(button, [type='button'], [type='submit']):is(:hover, :active, :focus) { background-color: #02659a }
  [type='button'], [type='submit'] { margin-bottom: 1rem }
  button[type='submit'], input:not([type='checkbox'], [type='radio']), select, textarea { width: 100% }
  button[disabled] { opacity: 0.5; pointer-events: none }
  :where(img, svg, video) { vertical-align: middle }
  :where(svg:not([fill])) { fill: currentColor }
  svg:not(:root) { overflow: hidden }
  code, kbd, pre, samp { border-radius: 0.25rem; background: #f3f5f7; color: #646b79; font-size: 0.875em }
  code, kbd, samp { display: inline-block; padding: 0.375rem }
  input, select, textarea {
    margin: 0; border: 1px solid #cfd5e2; border-radius: 0.25rem; outline: none; background-color: #fbfcfc; box-shadow: none;
    color: #23262c; font-family: inherit; font-size: 1rem; font-weight: 400; letter-spacing: inherit; line-height: 1.5;
  }
  input:not([type='checkbox'], [type='radio'], [type='range']) { height: calc(3rem + 2px) }
  input:not([type='checkbox'], [type='radio'], [type='range'], [type='file']), textarea {
    appearance: none; padding: 0.75rem 1rem;
  }
  input:not([type='checkbox'], [type='radio']), select, textarea { margin-bottom: 1rem }
  input:not([type='submit'], [type='button'], [readonly]):is(:active, :focus) { border-color: #0172ad; background: #fff }
  :where(input, textarea):not([type='checkbox'], [type='radio'])[aria-invalid] {
    padding-left: 1rem; padding-inline: 1rem 2.5rem !important;
    background-image: linear-gradient(red, red); background-position: center right 0.75rem; background-size: 1rem auto;
  }
  input:not([type='checkbox'], [type='radio'], [type='file'])[type='search'] {
    padding-inline-start: 2.75rem; border-radius: 5rem; background-image: linear-gradient(blue, blue);
    background-position: center left 1.125rem; background-size: 1rem auto;
  }
  input::placeholder, textarea::placeholder { opacity: 1; color: #646b79 }
  textarea { display: block; overflow: auto; resize: vertical }
  textarea[aria-invalid] { background-position: top right 0.75rem !important }
  label { display: block; margin-bottom: 0.375rem; color: inherit; font-weight: 400 }
  label:has([type='checkbox'], [type='radio']) { width: fit-content; cursor: pointer }
  label > :where(input, select, textarea) { margin-top: 0.25rem }
  [type='checkbox'], [type='radio'] {
    appearance: none; width: 1.25em; height: 1.25em; margin-top: -0.125em; margin-inline-end: 0.5em; padding: 0;
    border-width: 2px; vertical-align: middle; cursor: pointer;
  }
  [type='checkbox'] ~ label { display: inline-block; margin-bottom: 0; cursor: pointer }
  details summary { line-height: 1rem; list-style-type: none; cursor: pointer }
  details summary:not([role]) { color: #646b79 }
  details summary::after { display: block; float: right; width: 1rem; height: 1rem; content: ''; transform: rotate(-90deg) }
  details[open] > summary { margin-bottom: 1rem }
  [role='group'], [role='search'] { position: relative; display: inline-flex; width: 100%; margin-bottom: 1rem }
  [role='group'] > * { position: relative; flex: 1 1 auto; margin-bottom: 0 }
  [role='group'] > :not(:first-child) { margin-left: 0; border-top-left-radius: 0 }
  [aria-busy='true']:not(input, select, textarea, html, form) { white-space: nowrap }
  [aria-busy='true']:not(input, select, textarea, html, form)::before {
    display: inline-block; width: 1em; height: 1em; margin-inline-end: 0.5rem; background: red; content: '';
  }
  button[aria-busy='true'] { pointer-events: none }
  table { width: 100%; border-collapse: collapse; text-indent: 0 }
  th, td { padding: 0.5rem 1rem; border-bottom: 1px solid #e7eaf0; background-color: #fff; font-weight: 400; text-align: start }
  [aria-controls] { cursor: pointer }
  [aria-disabled='true'], [disabled] { cursor: not-allowed }`

const normalize = `
  *, ::before, ::after { box-sizing: border-box }
  html { font-family: system-ui, sans-serif; line-height: 1.15; tab-size: 4 }
  body { margin: 0 }
  b, strong { font-weight: bolder }
  code, kbd, samp, pre { font-family: ui-monospace, monospace; font-size: 1em }
  table { border-color: currentcolor }
  button, input, optgroup, select, textarea { margin: 0; font-family: inherit; font-size: 100%; line-height: 1.15 }
  button, [type='button'], [type='reset'], [type='submit'] { appearance: button }
  [type='search'] { appearance: textfield; outline-offset: -2px }
  summary { display: list-item }`

export const hostPages = {
  next: { title: 'create-next-app', own: next },
  vite: { title: 'Vite template', own: vite },
  tailwind3: { title: 'Tailwind 3', framework: async () => tailwind3 },
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
  bootstrap: { title: 'Bootstrap 5', framework: async () => bootstrap },
  pico: { title: 'Pico, in a layer', framework: async () => `@layer pico {${pico}}` },
  normalize: { title: 'modern-normalize', framework: async () => normalize },
  rude: { title: 'Page with harsh element styles', own: rude },
} satisfies Readonly<Record<string, HostPage>>

export type HostName = keyof typeof hostPages
