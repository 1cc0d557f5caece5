import type { Contender } from '../Contender.ts'
import { PlainRow, ScrollBox } from '../PlainList.tsx'

export const contender: Contender = {
  App: ({ rows }) => (
    <ScrollBox>
      <ul className="petstore-category-list-window">
        {rows?.slice(0, 30).map((category) => (
          <PlainRow key={category.id} category={category} />
        ))}
      </ul>
    </ScrollBox>
  ),
}
