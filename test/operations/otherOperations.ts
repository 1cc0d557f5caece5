import type { OperationDescription } from './OperationDescription.ts'

/** "Other operations" and "Versioning" of the interface document, which does not show the payloads. */
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
