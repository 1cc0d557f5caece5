import 'petstore-react/styles.css'
import type { Metadata } from 'next'
import { PetstoreProvider } from 'petstore-react'
import type { ReactNode } from 'react'

export const metadata: Metadata = { title: 'next-static', icons: 'data:,' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <PetstoreProvider baseUrl="/api/petstore/v1" quickstartBaseUrl="/api/petstore/quickstart">
          {children}
        </PetstoreProvider>
      </body>
    </html>
  )
}
