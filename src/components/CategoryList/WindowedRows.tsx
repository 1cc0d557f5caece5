import {
  createContext,
  forwardRef,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { Virtualizer } from 'virtua'
import type { Category } from '../../contract/category.ts'
import type { CategoryRowsProps } from './CategoryRows.tsx'
import { useWindowFocus } from './useWindowFocus.ts'

type Items = CategoryRowsProps['items']

export interface WindowedRowsProps extends Pick<CategoryRowsProps, 'items' | 'revealed' | 'describedBy'> {
  /** All categories, also those that the filter hides. */
  readonly all: readonly Category[]
  /** The scrolling box. */
  readonly viewport: RefObject<HTMLElement | null>
  /** A new value scrolls back to the first row. */
  readonly resetKey: string
  readonly hasCheckboxes: boolean
  readonly focusRow: (row: Element) => void
  /** Renders one row. Of all checkboxes, Tab reaches one. */
  readonly children: (item: Items[number], key: string, isTabStop: boolean) => ReactElement
}

/**
 * Keeps only the rows in view in the page. In a separate file, so that only lists that use it load it. It imports nothing
 * that lists without it need: bundlers would split that off into a file of its own.
 */
export function WindowedRows(props: WindowedRowsProps): ReactElement {
  'use no memo' // React Compiler would freeze the virtualizer.
  const { all, items, revealed, describedBy, viewport, resetKey, hasCheckboxes, focusRow, children } = props
  const keyOf = useMemo(() => keysOf(all), [all])
  const { tabStop, mounted } = useWindowFocus(viewport, { items, keyOf, revealed, hasCheckboxes, focusRow })
  const lastResetKey = useRef(resetKey)

  useLayoutEffect(() => {
    if (lastResetKey.current !== resetKey) viewport.current?.scrollTo(0, 0)
    lastResetKey.current = resetKey
  }, [resetKey, viewport])

  return (
    <ListContext.Provider value={useMemo(() => ({ size: items.length, describedBy }), [items.length, describedBy])}>
      <Virtualizer as={List} item={Item} data={items} scrollRef={viewport} keepMounted={mounted}>
        {(item, index) => children(item, keyOf(item), index === tabStop)}
      </Virtualizer>
    </ListContext.Provider>
  )
}

/**
 * The React key of each row, as in `rowKeys`. It looks through all categories only once for each response: a filter leaves
 * the keys as they are.
 */
function keysOf(all: readonly Category[]): (item: Items[number]) => string {
  const ids = new Set<string>()
  const repeated = new Map<Items[number], string>()
  for (const [index, category] of all.entries()) {
    if (ids.has(category.id)) repeated.set(category, `${category.id}#${index}`)
    else ids.add(category.id)
  }
  return (item) => ('key' in item ? item.key : (repeated.get(item) ?? item.id))
}

interface ListContextValue {
  readonly size: number
  readonly describedBy: string
}

const ListContext = createContext<ListContextValue>({ size: 0, describedBy: '' })

interface ListProps {
  readonly style: object
  readonly children: ReactNode
}

const List = forwardRef<HTMLUListElement, ListProps>(function List({ style, children }, ref) {
  return (
    <ul
      ref={ref}
      style={style}
      className="petstore-category-list-window"
      // An explicit role, because Safari drops the list role from lists without markers.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      role="list"
      aria-describedby={useContext(ListContext).describedBy}
    >
      {children}
    </ul>
  )
})

interface ItemProps extends ListProps {
  readonly index: number
}

const Item = forwardRef<HTMLLIElement, ItemProps>(function Item({ style, index, children }, ref) {
  const { size } = useContext(ListContext)
  return (
    <li ref={ref} style={style} className="petstore-category-list-item" aria-posinset={index + 1} aria-setsize={size}>
      {children}
    </li>
  )
})
