import { CategoryManager, MessageComposer, RateLimitBadge } from 'petstore-react'
import { Names } from './Names.tsx'

export default function Page() {
  return (
    <>
      <RateLimitBadge />
      <CategoryManager />
      <Names />
      <MessageComposer />
    </>
  )
}
