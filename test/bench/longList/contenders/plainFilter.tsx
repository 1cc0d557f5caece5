import { useState } from 'react'
import type { Contender } from '../Contender.ts'
import { PlainRow } from '../PlainList.tsx'

/** A filter as it is first written: no folding, nothing prepared, nothing counted. */
export const contender: Contender = {
  App: function PlainFilter({ rows = [] }) {
    const [filter, setFilter] = useState('')
    const wanted = filter.toLowerCase()
    const matches = rows.filter(
      ({ name, description }) =>
        name.toLowerCase().includes(wanted) || description?.toLowerCase().includes(wanted) === true,
    )
    return (
      <>
        <input
          type="search"
          className="petstore-input"
          aria-label="Filter"
          value={filter}
          onChange={({ currentTarget }) => setFilter(currentTarget.value)}
        />
        <ul className="petstore-category-list-rows">
          {matches.slice(0, 200).map((category) => (
            <PlainRow key={category.id} category={category} />
          ))}
        </ul>
      </>
    )
  },
}
