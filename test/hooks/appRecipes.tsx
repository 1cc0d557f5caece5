import {
  defineOperation,
  type PetstoreError,
  PetstoreProvider,
  useClear,
  useErrorText,
  usePetstoreQuery,
  useRateLimit,
} from '../../src/index.ts'
import { type ReactNode, useEffect, useState } from 'react'
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
