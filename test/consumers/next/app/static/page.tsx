import { CategoryManager, MessageComposer, PetstoreProvider, RateLimitBadge } from 'petstore-react'

/** Next renders this page when it builds the app, so the HTML has no rows: the page loads them itself. */
export default function Page() {
  return (
    <PetstoreProvider baseUrl="/api/petstore/v1" quickstartBaseUrl="/api/petstore/quickstart">
      <RateLimitBadge />
      <CategoryManager />
      <MessageComposer />
    </PetstoreProvider>
  )
}
