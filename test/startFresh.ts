/** Lets each test file start as if it were the first of its thread, which it shares with others. */
import { vi } from 'vitest'
import { dropAnnouncements } from './components/announcements.ts'

vi.restoreAllMocks()
vi.resetModules()
vi.useRealTimers()
vi.unstubAllGlobals()
vi.unstubAllEnvs()

/** A global, because this module is evaluated again for each file of the thread. */
const firstGlobals: unique symbol = Symbol.for('test.first-globals')
const globals: typeof globalThis & { [firstGlobals]?: PropertyDescriptorMap } = globalThis

// Restoring a spy on a fake timer brings the fake back, even after `useRealTimers`: each global gets its first value.
globals[firstGlobals] ??= Object.getOwnPropertyDescriptors(globalThis)
for (const [name, first] of Object.entries(globals[firstGlobals])) {
  const isOfVitest = name.startsWith('__vitest')
  const hasChanged = first.value !== Object.getOwnPropertyDescriptor(globalThis, name)?.value
  if (!isOfVitest && hasChanged && first.configurable) Object.defineProperty(globalThis, name, first)
}

// The package shares some state between its copies, under global symbols.
for (const key of Object.getOwnPropertySymbols(globalThis)) {
  if (key.description?.startsWith('petstore-react.')) Reflect.deleteProperty(globalThis, key)
}

if (typeof document !== 'undefined') {
  dropAnnouncements()
  // The elements themselves stay: `screen` of Testing Library keeps the body that it has found first.
  for (const element of [document.documentElement, document.head, document.body]) {
    for (const { name } of [...element.attributes]) element.removeAttribute(name)
  }
  document.head.replaceChildren()
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
}
