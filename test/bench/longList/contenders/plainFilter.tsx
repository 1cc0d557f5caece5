import { useState } from 'react'
import { measure } from '../measure.tsx'
import { PlainRow } from '../PlainRow.tsx'

/** The usual first version of a filter: no accent folding, no search index, no count of matches. */
measure({
  App: function PlainFilter({ rows = [] }) {
    const [filter, setFilter] = useState('')
    const query = filter.toLowerCase()
    const matches = rows.filter(
      ({ name, description }) =>
        name.toLowerCase().includes(query) || description?.toLowerCase().includes(query) === true,
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
})
