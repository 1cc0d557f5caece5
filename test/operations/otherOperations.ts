import type { OperationDescription } from './OperationDescription.ts'

/** "Other operations" and "Versioning" (deprecated) of the interface document, which does not show the payload. */
export const getPet: OperationDescription = {
  operation: {
    name: 'getPet',
    method: 'GET',
    path: '/pets/{petId}',
    base: 'service',
    success: 'any-2xx',
    replay: 'safe',
    deprecated: true,
  },
  exchanges: [],
}

/** "Other operations" of the interface document, which does not show the payload. */
export const listOrders: OperationDescription = {
  operation: {
    name: 'listOrders',
    method: 'GET',
    path: '/store/orders',
    base: 'service',
    success: 'any-2xx',
    replay: 'safe',
  },
  exchanges: [],
}
