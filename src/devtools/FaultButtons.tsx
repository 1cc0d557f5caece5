import { type ReactElement, useId, useSyncExternalStore } from 'react'
import { DevtoolsSection } from './DevtoolsSection.tsx'
import { type InjectedFault, pendingFault } from './faultyFetch.ts'

const faults: readonly (readonly [fault: InjectedFault, label: string, effect: string])[] = [
  [
    'refuse',
    'Refuse with 429',
    'The next request gets a 429 that asks to wait 10 seconds. It does not reach the service.',
  ],
  ['fail', 'Fail with 503', 'The next request gets a 503. It does not reach the service.'],
  ['lose', 'Lose the response', 'The next request reaches the service, and its response is lost.'],
  ['delay', 'Delay by 5 seconds', 'The response to the next request arrives 5 seconds late.'],
]

/**
 * Chooses what happens to the next request.
 *
 * @param hasSent - whether requests have left, which the tools would have seen
 */
export function FaultButtons({ hasSent }: { readonly hasSent: boolean }): ReactElement {
  const { fault, isConnected } = useSyncExternalStore(
    pendingFault.subscribe,
    pendingFault.getSnapshot,
    pendingFault.getSnapshot,
  )
  const effectId = useId()
  const effect = faults.find(([name]) => name === fault)?.[2]
  return (
    <DevtoolsSection title="Next request">
      <div className="petstore-devtools-buttons">
        {faults.map(([name, label]) => (
          <button
            key={name}
            type="button"
            className="petstore-devtools-button"
            aria-pressed={fault === name}
            aria-describedby={effectId}
            onClick={() => pendingFault.set(fault === name ? undefined : name)}
          >
            {label}
          </button>
        ))}
      </div>
      <p id={effectId} className="petstore-devtools-quiet">
        <span>{effect ?? 'The next request is left alone.'}</span>
        {!isConnected && hasSent && (
          <span>
            {' '}
            Requests do not go through the tools: pass <code>fetch={'{devtoolsFetch}'}</code> to the provider.
          </span>
        )}
      </p>
    </DevtoolsSection>
  )
}
