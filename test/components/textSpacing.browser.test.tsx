import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { CategoryManager, ErrorNotice, MessageComposer, PetstoreProvider } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { optionsFor, renderOnService } from '../renderOnService.tsx'
import '../../src/styles.css'
import { cutElements } from './cutElements.ts'

/** The spacing of WCAG 2.2, 1.4.12, as a person's own style sheet sets it. */
const spacing = new CSSStyleSheet()
spacing.replaceSync(`
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-block-end: 2em !important }
`)

afterEach(() => {
  cleanup()
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== spacing)
})

test.each([240, 800])('with the text spacing of WCAG 1.4.12 nothing is cut, at %d px', async (inlineSize) => {
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, spacing]
  const service = createPetstoreService()
  service.failNext({ operation: 'sendMessage', status: 400 })
  const { container } = renderOnService(
    <div style={{ inlineSize }}>
      <CategoryManager list={{ selectionMode: 'multiple' }} />
      <PetstoreProvider {...optionsFor(service)} quickstartBaseUrl={service.quickstartBaseUrl}>
        <MessageComposer maxLength={20} />
      </PetstoreProvider>
      <ErrorNotice error={new Error('lost')} onRetry={() => {}} />
    </div>,
  )
  const cut = () => cutElements(container.firstElementChild ?? container)
  expect(await screen.findAllByText('Checking…')).toHaveLength(1)
  expect(cut()).toEqual([])
  await screen.findByText('Dog')
  const toggle = screen.queryByRole('button', { name: 'New category' }) // where the manager is narrow
  if (toggle) await userEvent.click(toggle)
  await userEvent.click(screen.getByRole('button', { name: 'Create category' }))
  const field = screen.getByRole('textbox', { name: 'Message' })
  await userEvent.fill(field, 'Feed the rabbits')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await screen.findByText(/^Not sent/) // not its announcement
  await userEvent.fill(field, 'This message is too long')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(cut()).toEqual([])
})
