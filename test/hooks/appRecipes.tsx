import {
  defineOperation,
  ErrorNotice,
  type PetstoreError,
  PetstoreProvider,
  useClear,
  useErrorText,
  usePetstoreQuery,
  useRateLimit,
} from '../../src/index.ts'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import * as z from 'zod/mini'

// #region toast
interface AppProps {
  /** Shows a text for some seconds: that of your toast library. */
  toast: (text: string) => void
  children: ReactNode
}

export function App({ toast, children }: AppProps) {
  const [failure, setFailure] = useState<PetstoreError>()
  return (
    <PetstoreProvider baseUrl="/api/petstore/v1" onError={(error, { handled }) => handled || setFailure(error)}>
      {children}
      {failure && <Toast error={failure} toast={toast} />}
    </PetstoreProvider>
  )
}

function Toast({ error, toast }: { error: PetstoreError; toast: AppProps['toast'] }) {
  const { title, advice } = useErrorText()(error)
  // Once for each error: a new language or a new `toast` shows nothing again.
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(() => toast(`${title}. ${advice}`), [error])
  return null
}
// #endregion

// #region preload
export const getToy = defineOperation({
  name: 'getToy',
  path: '/toys/{toyId}',
  input: z.object({ toyId: z.string() }),
  output: z.object({ name: z.string() }),
})

/** Loads what the details will show. They use the same query, so they send nothing while the data are fresh. */
function Preload({ toyId }: { toyId: string }) {
  usePetstoreQuery(getToy, { toyId })
  return null
}

export function ToyLinks({ toyIds }: { toyIds: readonly string[] }) {
  const { remaining = 0, limit = 0 } = useRateLimit()
  const [nearId, setNearId] = useState<string>()
  const [openId, setOpenId] = useState<string>()
  return (
    <>
      {toyIds.map((toyId) => (
        <button
          key={toyId}
          onPointerEnter={() => setNearId(toyId)}
          onFocus={() => setNearId(toyId)}
          onClick={() => setOpenId(toyId)}
        >
          Toy {toyId}
        </button>
      ))}
      {nearId !== undefined && remaining * 2 > limit && <Preload toyId={nearId} />}
      {openId !== undefined && <Toy toyId={openId} />}
    </>
  )
}

function Toy({ toyId }: { toyId: string }) {
  const { data } = usePetstoreQuery(getToy, { toyId })
  return <h2>{data ? data.name : 'Loading…'}</h2>
}
// #endregion

// #region search
export const searchToys = defineOperation({
  name: 'searchToys',
  path: '/toys/search',
  input: z.object({ term: z.string() }),
  output: z.array(z.object({ name: z.string() })),
})

/** The value, once it has not changed for some ms. */
function useDebounced<Value>(value: Value, ms: number): Value {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return debounced
}

/** Ten keystrokes cost one request. What was searched for before comes from the cache while it is fresh. */
export function ToySearch() {
  const [text, setText] = useState('')
  const term = useDebounced(text.trim(), 300)
  const { data = [], error } = usePetstoreQuery(searchToys, term === '' ? null : { term }, { keepPreviousData: true })
  return (
    <>
      <input aria-label="Search toys" value={text} onChange={(event) => setText(event.target.value)} />
      {error && <ErrorNotice error={error} />}
      <ul>{term !== '' && data.map(({ name }) => <li key={name}>{name}</li>)}</ul>
    </>
  )
}
// #endregion

// #region infinite
export const listToys = defineOperation({
  name: 'listToys',
  path: '/toys',
  input: z.object({ page: z.number() }),
  output: z.object({ toys: z.array(z.object({ name: z.string() })), hasMore: z.boolean() }),
})

/** Each page is a query of its own: one that is fresh is not loaded again with the others. */
export function AllToys() {
  const [pages, setPages] = useState(1)
  return (
    <ul>
      {Array.from({ length: pages }, (_, index) => (
        <ToyPage key={index} page={index + 1} isLast={index + 1 === pages} onMore={() => setPages(pages + 1)} />
      ))}
    </ul>
  )
}

function ToyPage({ page, isLast, onMore }: { page: number; isLast: boolean; onMore: () => void }) {
  const { data, error, refresh } = usePetstoreQuery(listToys, { page })
  return (
    <>
      {data?.toys.map(({ name }) => (
        <li key={name}>{name}</li>
      ))}
      {error && <ErrorNotice error={error} onRetry={refresh} />}
      {isLast && data?.hasMore && <button onClick={onMore}>Show more</button>}
    </>
  )
}
// #endregion

// #region offline
function subscribe(listener: () => void) {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Says that the browser is offline, or that the service does not respond. On a server it says nothing. */
export function ConnectionBanner() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  const { waitReason } = useRateLimit()
  const isLost = waitReason === 'connection'
  return (
    <output>
      {!isOnline && <p>You’re offline. Changes are sent when you’re back.</p>}
      {isOnline && isLost && <p>Can’t reach the service. Trying again…</p>}
    </output>
  )
}
// #endregion

// #region session
export interface Session {
  userId: string
  getKey: () => Promise<string>
}

/** Without a session it shows `signIn`: the provider is gone then, and with it whatever it was doing. */
export function SignedIn({ session, signIn, children }: { session?: Session; signIn: ReactNode; children: ReactNode }) {
  if (!session) return signIn
  return (
    <PetstoreProvider baseUrl="https://your-petstore-host/v1" apiKey={() => session.getKey()} scope={session.userId}>
      {children}
    </PetstoreProvider>
  )
}

/** Below the provider: removes the person's data and drafts, then ends the session. */
export function SignOut({ endSession }: { endSession: () => void }) {
  const clear = useClear()
  const signOut = () => {
    clear()
    endSession()
  }
  return <button onClick={signOut}>Sign out</button>
}
// #endregion
