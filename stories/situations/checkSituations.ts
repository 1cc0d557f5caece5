import { expect, waitFor } from 'storybook/test'
import { labelsOf } from '../support/labelsOf.ts'
import type { PlayContext } from '../support/PlayContext.ts'
import { cellId } from './SituationTable.tsx'
import { type Action, cellsOf, components, type Situation, situations } from './situations.ts'

/** Checks color, icon, words and buttons of each cell. */
export async function checkSituations(context: Pick<PlayContext, 'canvasElement' | 'globals'>): Promise<void> {
  const labels = labelsOf(context)
  for (const situation of situations) {
    for (const component of components) {
      const cell = cellsOf(situation, labels)[component]
      const name = cellId(situation, component)
      const element = context.canvasElement.querySelector<HTMLElement>(`[data-cell="${name}"]`)
      if (!cell || !element) {
        await expect([name, cell, element?.querySelector('.situation-none')?.tagName]).toEqual([name, undefined, 'P'])
        continue // the table says “Does not occur here”
      }
      const { tone, icon } = { ...situation, ...cell }
      // Not in `waitFor`, which looks again after each change of the page: `colorOf` makes two.
      const color = colorOf(element, tone)
      await waitFor(() =>
        expect({
          name,
          look: lookOf(element, icon),
          missing: cell.says.filter((text) => !says(element, text)),
          actions: actionsOf(element),
        }).toEqual({
          name,
          look: icon === undefined ? 'no icon' : [tone, color],
          missing: [],
          actions: cell.actions.map(([text, held]) => [matching(text), held]),
        }),
      )
    }
  }
}

/** The tone of the icon, and the color in which it is drawn. */
function lookOf(cell: HTMLElement, icon: string | undefined): readonly (string | undefined)[] | string {
  const shown = [...cell.querySelectorAll<SVGElement>('.petstore-icon[data-tone]')].filter((svg) =>
    svg.checkVisibility(),
  )
  const [first] = shown
  if (!first) return 'no icon'
  if (shown.some((svg) => svg.querySelector('path')?.getAttribute('d') !== icon)) return 'another icon'
  return [first.dataset['tone'], getComputedStyle(first).color]
}

/** The color of a token, as it applies in the cell. */
function colorOf(cell: HTMLElement, tone: Situation['tone']): string {
  const probe = cell.appendChild(document.createElement('span'))
  probe.style.color = `var(--petstore-${tone})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Isolates and direction marks do not count: each language places its own. */
const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '')

function says(cell: HTMLElement, text: string | RegExp): boolean {
  const shown = plain(cell.textContent)
  return typeof text === 'string' ? shown.includes(plain(text)) : text.test(shown)
}

const matching = (text: Action[0]) => (typeof text === 'string' ? text : expect.stringMatching(text))

/** The visible words of each button, and whether it has to wait. */
function actionsOf(cell: HTMLElement): readonly (readonly [text: string, held: 'held' | undefined])[] {
  return [...cell.querySelectorAll('button')]
    .filter((button) => button.checkVisibility())
    .map((button) => {
      // Some show a countdown to people who see, and to screen readers another text, which does not change.
      const visible = button.querySelector('span[aria-hidden]') ?? button
      return [visible.textContent, button.getAttribute('aria-disabled') === 'true' ? 'held' : undefined]
    })
}
