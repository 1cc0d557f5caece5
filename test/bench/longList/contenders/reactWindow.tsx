import { List, type RowComponentProps, useDynamicRowHeight } from 'react-window'
import type { Category } from '../../../../src/index.ts'
import type { Contender } from '../Contender.ts'
import { RowText } from '../PlainList.tsx'

function Row({ index, style, rows }: RowComponentProps<{ readonly rows: readonly Category[] | undefined }>) {
  const category = rows?.[index]
  return (
    <div style={style} className="petstore-category-list-row">
      {category && <RowText {...category} />}
    </div>
  )
}

export const contender: Contender = {
  App: function ReactWindowList({ rows }) {
    const rowHeight = useDynamicRowHeight({ defaultRowHeight: 60 })
    return (
      <List
        className="petstore-category-list-rows"
        style={{ blockSize: 480 }}
        rowComponent={Row}
        rowCount={rows?.length ?? 0}
        rowHeight={rowHeight}
        rowProps={{ rows }}
      />
    )
  },
}
