import { act, cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactElement, ReactNode } from 'react'
import { afterEach, beforeEach, expect, onTestFinished, vi } from 'vitest'
import { CategoryList, type CategoryListProps } from '../../src/components/CategoryList/CategoryList.tsx'
import { type PetstoreClientOptions, type PetstoreLabels, PetstoreProvider } from '../../src/index.ts'
import { createPetstoreService, type PetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { holdResponses } from '../hooks/holdResponses.ts'
import { optionsFor, OwnCache } from '../renderOnService.tsx'

const logged = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]

/** Each test begins with an empty page, and logs nothing. */
export function cleanPage(): void {
  beforeEach(() => {
    for (const spy of logged) spy.mockClear()
  })
  afterEach(() => {
    cleanup()
    if (vi.isFakeTimers()) vi.runOnlyPendingTimers() // what is to be announced must not stay so for ever
    document.body.replaceChildren() // the announcer too, and what it said
    vi.useRealTimers()
    expect(logged.flatMap((spy) => spy.mock.calls)).toEqual([])
  })
}

export const user = userEvent.setup({ delay: null })

interface Setup {
  /** A service, or what one is to be like. */
  readonly service?: PetstoreService | PetstoreServiceOptions
  readonly client?: Partial<PetstoreClientOptions>
  readonly labels?: PetstoreLabels
  readonly locale?: string
  /** What else stands in the page, below the same provider. */
  readonly beside?: ReactNode
}

/** A list on a service of its own, whose responses can be held back. */
export function renderList(props: CategoryListProps = {}, stage: Setup = {}) {
  const { client, labels, locale, beside } = stage
  const service =
    'requests' in (stage.service ?? {})
      ? (stage.service as PetstoreService)
      : createPetstoreService(stage.service as PetstoreServiceOptions)
  const { fetch, hold } = holdResponses(service)
  const options = { ...optionsFor({ fetch }), ...client }
  const app = (next: CategoryListProps): ReactElement => (
    <OwnCache>
      <PetstoreProvider {...options} labels={labels} locale={locale}>
        <CategoryList {...next} />
        {beside}
      </PetstoreProvider>
    </OwnCache>
  )
  const view = render(app(props))
  return { ...view, service, hold, update: (next: CategoryListProps) => view.rerender(app(next)) }
}

export const section = () => screen.getByRole('region', { name: 'Categories' })
export const filterBox = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Filter categories' })
export const refreshButton = () => screen.getByRole('button', { name: 'Refresh' })
export const tryAgain = () => screen.getByRole('button', { name: 'Try again' })
export const moreButton = () => screen.getByRole('button', { name: /^Show \d+ more$/ })

/** The names of the rows that are shown, in order. */
export const names = () =>
  [...document.querySelectorAll('.petstore-category-list-row')].map(
    (row) => row.querySelector('.petstore-category-list-name')?.textContent,
  )

export const rowOf = (name: string) => {
  const row = screen.getByText(name).closest<HTMLElement>('.petstore-category-list-row')
  if (!row) throw new Error(`${name} is in no row.`)
  return row
}

/** The texts that describe an element. */
export const describedBy = (element: Element) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter(Boolean)
    .map((id) => document.getElementById(id)?.textContent)

/** Time goes on by itself, and can be turned forward. */
export const turnableTime = () => vi.useFakeTimers({ shouldAdvanceTime: true })

export async function pass(milliseconds: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(milliseconds))
}

/** All that is announced from now on, in order. */
export function listen(): readonly string[] {
  const said: string[] = []
  const observer = new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const isSpoken = target instanceof Element && target.getAttribute('role') === 'status'
      for (const { textContent } of isSpoken ? addedNodes : []) said.push((textContent ?? '').trim())
    }
  })
  observer.observe(document.body, { childList: true, subtree: true })
  onTestFinished(() => observer.disconnect())
  return said
}
