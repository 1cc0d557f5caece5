import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { PetstoreDevtools, PetstoreDevtoolsPanel } from '../../src/devtools.ts'
import * as production from '../../src/devtools/production.ts'
import * as development from '../../src/devtools.ts'
import { createPetstoreClient } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { newAddress, OwnCache } from '../renderOnService.tsx'
import { cellsOf, press, renderApp } from './panel.setup.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

const button = () => screen.getByRole('button', { name: 'Petstore tools' })
const panel = () => screen.queryByRole('region', { name: 'Petstore developer tools' })
const isExpanded = () => button().getAttribute('aria-expanded')

describe('the button', () => {
  test('opens the panel, which takes the focus; Escape closes it, and the button has the focus again', async () => {
    const { user } = renderApp(<PetstoreDevtools />)
    expect([panel(), isExpanded()]).toEqual([null, 'false'])
    await press(user, 'Petstore tools')
    expect(isExpanded()).toBe('true')
    expect(document.activeElement).toBe(panel())
    expect(button().getAttribute('aria-controls')).toBe(panel()?.id)
    await user.tab()
    expect(document.activeElement?.textContent).toBe('Copy as JSON')
    await user.tab()
    expect(document.activeElement?.textContent).toBe('Close')
    await user.keyboard('{Escape}')
    expect([panel(), isExpanded()]).toEqual([null, 'false'])
    expect(document.activeElement).toBe(button())
  })

  test.each(['Close', 'Petstore tools'])('gets the focus when the panel is closed by “%s”', async (name) => {
    const { user } = renderApp(<PetstoreDevtools />)
    await press(user, 'Petstore tools')
    await press(user, name)
    expect(panel()).toBeNull()
    expect(document.activeElement).toBe(button())
  })

  test('records before the panel is open, without a timer that inspects the gate', async () => {
    vi.useFakeTimers()
    const { fetch } = createPetstoreService()
    const client = createPetstoreClient({ baseUrl: newAddress(), apiKey: 'demo', fetch })
    render(<PetstoreDevtools client={client} />, { wrapper: OwnCache })
    void client.listCategories()
    await act(() => vi.advanceTimersByTimeAsync(5_000)) // until the call has ended and was recorded
    const inspect = vi.spyOn(client.rateLimit, 'inspect')
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(inspect).not.toHaveBeenCalled()
    vi.useRealTimers()
    fireEvent.click(button())
    const [call] = await cellsOf('Calls')
    expect([call?.[0], call?.[3]]).toEqual(['listCategories', '200'])
  })
})

describe('in production', () => {
  test('the components of the entry `devtools` render nothing', () => {
    vi.stubEnv('NODE_ENV', 'production')
    expect(PetstoreDevtools({})).toBeNull()
    expect(PetstoreDevtoolsPanel({})).toBeNull()
  })

  test('the entry `devtools/production` has the same names, and shows the panel', () => {
    expect(Object.keys(production).toSorted()).toEqual(Object.keys(development).toSorted())
    vi.stubEnv('NODE_ENV', 'production')
    renderApp(<production.PetstoreDevtools />)
    fireEvent.click(button())
    expect(panel()).not.toBeNull()
  })
})
