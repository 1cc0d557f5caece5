/** For test files that share a process: each starts as if it were the first. */
import { vi } from 'vitest'

vi.restoreAllMocks()
vi.resetModules()
vi.useRealTimers()
vi.unstubAllGlobals()
vi.unstubAllEnvs()

// The package shares some state between its copies, under global symbols.
for (const key of Object.getOwnPropertySymbols(globalThis)) {
  if (key.description?.startsWith('petstore-react.')) Reflect.deleteProperty(globalThis, key)
}

if (typeof document !== 'undefined') {
  // The elements themselves stay: `screen` of Testing Library keeps the body that it has found first.
  for (const element of [document.documentElement, document.head, document.body]) {
    for (const { name } of [...element.attributes]) element.removeAttribute(name)
  }
  document.head.replaceChildren()
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
}
