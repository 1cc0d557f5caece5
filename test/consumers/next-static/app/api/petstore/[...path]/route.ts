import { toRouteHandlers } from 'petstore-react/server'
import { petstore } from '../../../petstore.ts'

export const { GET, POST } = toRouteHandlers(petstore)
