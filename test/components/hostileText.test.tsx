import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { renderToString } from 'react-dom/server'
import { SWRConfig } from 'swr'
import { afterEach, describe, expect, test } from 'vitest'
import {
  BadRequestError,
  CategoryForm,
  CategoryList,
  createPetstoreClient,
  ErrorNotice,
  MessageComposer,
  PetstoreProvider,
  prefetchQuery,
  operations,
} from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { optionsFor, renderOnService } from '../renderOnService.tsx'

afterEach(() => {
  cleanup()
  document.body.replaceChildren() // the announcer too
})

const texts = [
  '<img src=x onerror="ran()">',
  '<script>ran()</script>',
  '"><svg onload=ran()>',
  "javascript:ran()//'",
  '&lt;b&gt;&#x3c;b&#x3e;',
  '{{constructor.constructor("ran()")()}}${ran()}',
  '--></style></title></textarea><iframe srcdoc="<script>parent.ran()</script>">',
  '\u202E\u2066gnp.exe\u200F',
  'D\u0007o\u200Bg\u00AD',
]

/** Elements that only injected HTML could have created. */
const foreign = () => document.querySelectorAll('img, script, iframe, b, [onload], [onerror], [href], [srcdoc], style')

/** The innermost elements with exactly this text; each has to isolate its direction. */
function shown(text: string): Element[] {
  const all = [...document.body.querySelectorAll('*')].filter((element) => element.textContent === text)
  return all.filter((element) => !all.some((other) => other !== element && element.contains(other)))
}

/** The problems of a displayed text. */
function problemsOf(text: string): readonly string[] {
  const elements = shown(text)
  return [
    ...[...foreign()].map(({ outerHTML }) => `became ${outerHTML}`),
    ...(elements.length > 0 ? [] : ['is not shown']),
    ...elements.filter((element) => element.getAttribute('dir') !== 'auto').map(() => 'does not isolate its direction'),
  ]
}

describe.each(texts)('%j is shown as text', (text) => {
  test('as name and description of a category, in a list that can be selected from and filtered', async () => {
    const service = createPetstoreService({ categories: [{ name: text, description: `${text} too` }] })
    renderOnService(<CategoryList selectionMode="multiple" />, { service })
    await waitFor(() => expect(problemsOf(text)).toEqual([]))
    expect(problemsOf(`${text} too`)).toEqual([])
    const box = screen.getByRole<HTMLInputElement>('checkbox')
    await userEvent.click(box)
    expect(box.checked).toBe(true)
    expect(problemsOf(text)).toEqual([])
  })

  test('as the message of the service about a field, and in a notice', async () => {
    const refusal = () => Response.json({ code: text, message: `name ${text}`, status: 400 }, { status: 400 })
    const service = { ...createPetstoreService(), fetch: async () => refusal() }
    renderOnService(<CategoryForm />, { service })
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Dog')
    await userEvent.click(screen.getByRole('button', { name: 'Create category' }))
    await waitFor(() => expect(problemsOf(`name ${text}`)).toEqual([]))
    cleanup()
    const body = { code: text, message: `name ${text}`, status: 400 }
    const error = new BadRequestError({ operation: 'createCategory', attempts: 1 }, { status: 400, body })
    renderOnService(<ErrorNotice error={error} />)
    expect(problemsOf(text)).toEqual([])
    expect(problemsOf(`name ${text}`)).toEqual([])
  })

  test('as the status of a message', async () => {
    const message = { id: text, message: text, status: text, createdAt: '2026-01-01T00:00:00Z' }
    const service = { ...createPetstoreService(), fetch: async () => Response.json(message) }
    const options = { ...optionsFor(service), quickstartBaseUrl: 'https://quickstart.test' }
    renderOnService(
      <PetstoreProvider {...options}>
        <MessageComposer />
      </PetstoreProvider>,
    )
    await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), 'Hello')
    await userEvent.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(problemsOf(text)).toEqual([]))
  })

  test('in the HTML of a server', async () => {
    const service = createPetstoreService({ categories: [{ name: text }] })
    const client = createPetstoreClient({ ...optionsFor(service), scope: 'page' })
    const html = renderToString(
      <SWRConfig
        value={{ provider: () => new Map(), fallback: await prefetchQuery(client, operations.listCategories) }}
      >
        <PetstoreProvider client={client}>
          <CategoryList />
        </PetstoreProvider>
      </SWRConfig>,
    )
    document.body.innerHTML = html
    expect(problemsOf(text)).toEqual([])
  })
})
