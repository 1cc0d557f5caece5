import { cleanup, fireEvent, render, waitFor } from '@testing-library/react'
import type { CSSProperties } from 'react'
import { onTestFinished } from 'vitest'
import devtools from '../../src/devtools.css?inline'
import layered from '../../src/styles.layer.css?inline'
import unlayered from '../../src/styles.css?inline'
import { type HostPage } from '../../.storybook/hosts.ts'
import { Specimens, specimens } from './Specimens.tsx'

/** Renders the specimens, and does what brings each into its state. */
export async function renderSpecimens(
  style: CSSProperties,
  names = Object.keys(specimens),
): Promise<readonly HTMLElement[]> {
  render(<Specimens style={style} names={names} />)
  const boxes = [...document.querySelectorAll<HTMLElement>('[data-specimen]')]
  for (const box of boxes) {
    const text = box.querySelector('.sends textarea')
    if (text) fireEvent.change(text, { target: { value: 'Do you have rabbits?' } })
    box.querySelector<HTMLFormElement>('form.submits, .submits form, .sends form')?.requestSubmit()
  }
  await waitFor(
    () => {
      document.querySelector<HTMLElement>('.selects:not(:has([data-selected])) input[type="checkbox"]')?.click()
      const missing = boxes
        .map((box) => box.dataset['specimen'] ?? '')
        .filter((name) => !document.querySelector(`[data-specimen="${name}"] ${specimens[name]?.until}`))
      if (missing.length > 0) throw new Error(`Not in their state: ${missing.join('; ')}`)
    },
    { timeout: 60_000 },
  )
  for (const details of document.querySelectorAll('details')) details.open = true
  onTestFinished(cleanup)
  return boxes
}

/** Stops what moves: it would differ between two measurements. */
const still = '*, ::before, ::after { transition: none !important; animation: none !important }'

/** Loads the styles of a page. Returns a function that adds them to the document, and returns one that removes them. */
export async function loadStyles(host: HostPage = { title: 'No host' }): Promise<() => () => void> {
  const { framework, own = '', isLayered = false } = host
  const texts = [(await framework?.()) ?? '', isLayered ? layered : unlayered, devtools, own, still]
  return () => {
    const elements = texts.map((text) => Object.assign(document.createElement('style'), { textContent: text }))
    document.head.append(...elements)
    return () => elements.forEach((element) => element.remove())
  }
}
