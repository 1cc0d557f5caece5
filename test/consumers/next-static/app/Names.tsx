'use client'

import { useCategories } from 'petstore-react'

export function Names() {
  const { data = [] } = useCategories()
  return <p>Names: {data.map((category) => category.name).join(', ')}</p>
}
