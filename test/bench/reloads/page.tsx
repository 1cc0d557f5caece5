import { type ReactNode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createPetstoreClient } from '../../../src/client.ts'
import { CategoryList, PetstoreProvider, usePet } from '../../../src/index.ts'
import type { WorkerCommand } from './worker.ts'

/** What a page shows, and what loads it. The address of the page has them as parameters. */
export interface PageParameters {
  readonly client: 'kit' | 'fetch'
  /** One list, six widgets at once, or nothing. */
  readonly view: 'list' | 'widgets' | 'nothing'
  readonly key: string
}

declare global {
  interface Window {
    /** When everything was shown, in ms since the navigation began. */
    shownAt?: number
    /** How long a response took after the browser was back online, in ms. */
    backAfter?: number
    /** Calls every 3 s, and when the browser is back online. */
    poll: () => void
    /**
     * Starts a worker, ends it that long after its request has left (ms), and starts another one. Resolves with the time
     * that this one took, in ms.
     */
    replaceWorker: (delay: number) => Promise<number>
  }
}

const parameters = new URLSearchParams(location.search)
const isKit = parameters.get('client') === 'kit'
const key = parameters.get('key') ?? ''
const view = parameters.get('view')
const baseUrl = `${location.origin}/v1`
const widgets = [1, 2, 3, 4, 5, 6]

const load = async (path: string): Promise<unknown> => {
  const response = await fetch(baseUrl + path, { headers: { Authorization: `Bearer ${key}` } })
  return response.json()
}

function useFetch(path: string): unknown {
  const [data, setData] = useState<unknown>()
  useEffect(() => {
    void load(path).then(setData)
  }, [path])
  return data
}

const Shown = ({ data }: { data: unknown }) => (data === undefined ? null : <p>{JSON.stringify(data)}</p>)
const PlainWidget = ({ path }: { path: string }) => <Shown data={useFetch(path)} />
const pet = { '~standard': { version: 1, vendor: 'reloads', validate: (value: unknown) => ({ value }) } } as const
const KitWidget = ({ id }: { id: number }) => <Shown data={usePet(String(id), { schema: pet }).data} />

function Page(): ReactNode {
  if (!isKit) {
    const paths = view === 'list' ? ['/categories'] : widgets.map((id) => `/pets/${id}`)
    return paths.map((path) => <PlainWidget key={path} path={path} />)
  }
  return (
    <PetstoreProvider baseUrl={baseUrl} apiKey={key}>
      {view === 'list' ? <CategoryList /> : widgets.map((id) => <KitWidget key={id} id={id} />)}
    </PetstoreProvider>
  )
}

const texts = view === 'list' ? ['Rabbit'] : widgets.map((id) => `Pet ${id}`)
const observer = new MutationObserver(() => {
  const shown = document.body.textContent ?? ''
  if (!texts.every((text) => shown.includes(text))) return
  window.shownAt = performance.now()
  observer.disconnect()
})

const root = document.getElementById('root')
if (root && view !== 'nothing') {
  observer.observe(root, { childList: true, subtree: true, characterData: true })
  createRoot(root).render(<Page />)
}

window.poll = () => {
  const client = createPetstoreClient({ baseUrl, apiKey: key })
  const call = () => (isKit ? client.listCategories() : load('/categories'))
  const ignore = () => {}
  setInterval(() => void call().catch(ignore), 3_000)
  addEventListener('online', () => {
    const start = performance.now()
    void call().then(() => {
      window.backAfter = performance.now() - start
    }, ignore)
  })
}

window.replaceWorker = async (delay) => {
  const start = () => {
    const worker = new Worker('/worker.js')
    worker.postMessage({ isKit, baseUrl, key } satisfies WorkerCommand)
    return worker
  }
  const message = (worker: Worker, awaited: string) =>
    new Promise<void>((resolve) =>
      worker.addEventListener('message', ({ data }) => {
        if (data === awaited) resolve()
      }),
    )
  const first = start()
  await message(first, 'sent')
  await new Promise((resolve) => void setTimeout(resolve, delay))
  first.terminate()
  const began = performance.now()
  await message(start(), 'done')
  return performance.now() - began
}
