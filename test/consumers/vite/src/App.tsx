import { CategoryManager, PetstoreProvider } from 'petstore-react'
import 'petstore-react/styles.css'

export function App({ apiKey }: { apiKey: string }) {
  return (
    <PetstoreProvider baseUrl="https://your-petstore-host/v1" apiKey={apiKey}>
      <CategoryManager />
    </PetstoreProvider>
  )
}
