import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import type { Contender } from '../Contender.ts'
import { RowText, scrolls } from '../PlainList.tsx'

export const contender: Contender = {
  App: function TanstackList({ rows }) {
    'use no memo'
    const box = useRef<HTMLDivElement>(null)
    const virtualizer = useVirtualizer({
      count: rows?.length ?? 0,
      getScrollElement: () => box.current,
      estimateSize: () => 60,
      overscan: 5,
    })
    const items = virtualizer.getVirtualItems()
    return (
      <div ref={box} className="petstore-category-list-rows" style={scrolls}>
        <div style={{ blockSize: virtualizer.getTotalSize(), position: 'relative' }}>
          <div style={{ position: 'absolute', insetInline: 0, transform: `translateY(${items[0]?.start ?? 0}px)` }}>
            {items.map(({ key, index }) => {
              const category = rows?.[index]
              return (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className="petstore-category-list-row"
                >
                  {category && <RowText {...category} />}
                </div>
              )
            })}
          </div>
        </div>
      </div>
    )
  },
}
