import { Virtualizer } from 'virtua'
import type { Contender } from '../Contender.ts'
import { RowText, ScrollBox } from '../PlainList.tsx'

export const contender: Contender = {
  App: ({ rows }) => (
    <ScrollBox>
      <Virtualizer data={rows ?? []}>
        {(category) => (
          <div key={category.id} className="petstore-category-list-row">
            <RowText {...category} />
          </div>
        )}
      </Virtualizer>
    </ScrollBox>
  ),
}
