import { measure } from '../measure.tsx'
import { PlainRow } from '../PlainRow.tsx'

measure({
  App: function PlainRows({ rows }) {
    if (!rows) return <p>Loading…</p>
    return (
      <ul className="petstore-category-list-rows">
        {rows.slice(0, 200).map((category) => (
          <PlainRow key={category.id} category={category} />
        ))}
      </ul>
    )
  },
})
