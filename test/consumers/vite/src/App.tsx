import { CategoryManager, PetstoreProvider } from 'petstore-react'
import 'petstore-react/styles.css'

export const App = ({ apiKey }: { apiKey: string }) => (
  <PetstoreProvider baseUrl="https://your-petstore-host/v1" apiKey={apiKey}>
    <CategoryManager />
  </PetstoreProvider>
)
