import { CategoryManager, MessageComposer, PetstoreProvider, RateLimitBadge } from 'petstore-react'

/** Next builds this page, which no server prepares, ahead of all visits. */
export default function Page() {
  return (
    <PetstoreProvider baseUrl="/api/petstore/v1" quickstartBaseUrl="/api/petstore/quickstart">
      <RateLimitBadge />
      <CategoryManager />
      <MessageComposer />
    </PetstoreProvider>
  )
}
