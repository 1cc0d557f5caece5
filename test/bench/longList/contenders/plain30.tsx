import type { Contender } from '../Contender.ts'
import { Box, PlainRow } from '../PlainList.tsx'

export const contender: Contender = {
  App: ({ rows }) => (
    <Box>
      <ul className="petstore-category-list-window">
        {rows?.slice(0, 30).map((category) => (
          <PlainRow key={category.id} category={category} />
        ))}
      </ul>
    </Box>
  ),
}
