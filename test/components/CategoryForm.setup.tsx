import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, onTestFinished, vi } from 'vitest'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'

const logged = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]

/** Each test begins with an empty page, and logs nothing. */
export function cleanPage(): void {
  beforeEach(() => {
    for (const spy of logged) spy.mockClear()
  })
  afterEach(() => {
    cleanup()
    document.body.replaceChildren() // the announcer too, and what it said
    vi.useRealTimers()
    expect(logged.flatMap((spy) => spy.mock.calls)).toEqual([])
  })
}

export const user = userEvent.setup({ delay: null })

export const form = () => screen.getByRole<HTMLFormElement>('form')
export const nameField = () => screen.getByLabelText<HTMLInputElement>('Name')
export const descriptionField = () => screen.getByLabelText<HTMLInputElement>('Description (optional)')
export const submitButton = () => screen.getByRole('button', { name: 'Create category' })
export const pendingButton = () => screen.getByRole('button', { name: 'Creating…' })

export async function type(name: string, description = ''): Promise<void> {
  if (name) await insert(nameField(), name)
  if (description) await insert(descriptionField(), description)
}

async function insert(field: HTMLInputElement, text: string): Promise<void> {
  await user.click(field)
  await user.paste(text) // faster than key by key
}

/** In the form: the announcer may say the same. */
export const createdLine = (name: string) => within(form()).findByText(`Created “${name}”.`)

export const typed = () => [nameField().value, descriptionField().value]

/** The texts that describe an element. */
export const describedBy = (element: Element) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter(Boolean)
    .map((id) => document.getElementById(id)?.textContent)

/** Categories that the service has really created. */
export const created = ({ requests }: PetstoreService) =>
  requests.filter(({ operation, applied }) => operation === 'createCategory' && applied).length

/** A 429 that asks to wait. The client of these tests waits for 5 seconds at most. */
export const refusedFor = (seconds: number) => ({ status: 429, headers: { 'Retry-After': String(seconds) } })

export const refusedAs = (code: string, message: string) => ({
  status: 400,
  body: JSON.stringify({ code, message, status: 400 }),
})

/** A service that is reached, and responses, only once `release` has been called and has found a request. */
export function heldService() {
  const service = createPetstoreService({ categories: [] })
  const releases: (() => void)[] = []
  const fetch: PetstoreService['fetch'] = async (input, init) => {
    await new Promise<void>((resolve) => releases.push(resolve))
    return service.fetch(input, init)
  }
  const release = async () => {
    await waitFor(() => expect(releases).not.toEqual([]))
    for (const go of releases.splice(0)) go()
  }
  return { service: { ...service, fetch }, release }
}

/** Time goes on by itself, and can be turned forward. */
export const makeTimeTurnable = () => vi.useFakeTimers({ shouldAdvanceTime: true })

/** All that is announced from now on, in order. */
export function listen(): readonly string[] {
  const said: string[] = []
  const observer = new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const isSpoken = target instanceof Element && target.getAttribute('role') === 'status'
      for (const node of isSpoken ? addedNodes : []) said.push(node.textContent ?? '')
    }
  })
  observer.observe(document.body, { childList: true, subtree: true })
  onTestFinished(() => observer.disconnect())
  return said
}
