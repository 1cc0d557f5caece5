import { MessageComposer, PetstoreProvider } from 'petstore-react'
import { de } from 'petstore-react/locales/de'

export const Compose = () => (
  <PetstoreProvider baseUrl="/api/petstore/v1" quickstartBaseUrl="/api/petstore/quickstart" labels={de} locale="de-CH">
    <MessageComposer maxLength={500} draftKey="compose" />
  </PetstoreProvider>
)
