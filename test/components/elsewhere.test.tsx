import { act, fireEvent, render, waitFor, within } from '@testing-library/react'
import type { ReactElement } from 'react'
import { createPortal } from 'react-dom'
import { expect, test } from 'vitest'
import { CategoryList, MessageComposer, PetstoreProvider } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { OwnCache } from '../renderOnService.tsx'
import { providerOptions } from './MessageComposer.setup.tsx'
import { frame, shadow } from './otherDocuments.setup.ts'
import { cleanPage } from './page.setup.ts'

cleanPage()

function renderInto(place: HTMLElement, ui: () => ReactElement) {
  const service = createPetstoreService({ categories: 250 })
  const options = providerOptions(service)
  const app = () => (
    <OwnCache>
      <PetstoreProvider {...options}>{createPortal(ui(), place)}</PetstoreProvider>
    </OwnCache>
  )
  const { rerender } = render(app())
  return { service, parts: within(place), renderAgain: () => rerender(app()) }
}

async function renderFailedMessage(place: HTMLElement) {
  const rendered = renderInto(place, () => <MessageComposer />)
  const { parts, service } = rendered
  service.failNext({ status: 400 })
  fireEvent.change(parts.getByLabelText('Message'), { target: { value: 'Hello' } })
  fireEvent.click(parts.getByText('Send', { selector: 'button' }))
  return { ...rendered, discard: await parts.findByText('Discard', { selector: 'button' }) }
}

test.each([
  ['a frame', frame],
  ['a shadow root', shadow],
])('in %s a button of a message keeps the focus, whatever renders', async (_, make) => {
  const { root, place } = make()
  const { discard, renderAgain } = await renderFailedMessage(place)
  act(() => discard.focus())
  renderAgain()
  expect(root.activeElement).toBe(discard)
})

test('in a frame “Discard” moves the focus to the field', async () => {
  const { root, place } = frame()
  const { discard, parts } = await renderFailedMessage(place)
  act(() => discard.focus())
  fireEvent.click(discard)
  expect(root.activeElement?.id).toBe(parts.getByLabelText('Message').id)
})

test('in a frame “Show more” puts the focus on the first new row', async () => {
  const { root, place } = frame()
  const { parts } = renderInto(place, () => <CategoryList />)
  fireEvent.click(await parts.findByText('Show 50 more'))
  await waitFor(() => expect(root.activeElement).toBe(parts.getByText('Dog 201').closest('li')))
})
