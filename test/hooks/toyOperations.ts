import * as z from 'zod/mini'
import { defineOperation } from '../../src/index.ts'

/** The mock service needs no schemas: the guides define the same operations with schemas. */
const unchecked = z.unknown()
const oneToy = { path: '/toys/{toyId}', input: unchecked, output: unchecked } as const
export const listToys = defineOperation({ name: 'listToys', path: '/toys', output: unchecked })
export const renameToy = defineOperation({ name: 'renameToy', method: 'PUT', ...oneToy })
export const removeToy = defineOperation({ name: 'removeToy', method: 'DELETE', ...oneToy })
