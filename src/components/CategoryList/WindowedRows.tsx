import {
  createContext,
  forwardRef,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Virtualizer } from 'virtua'
import type { Category } from '../../contract/category.ts'
import type { PendingCategory } from '../../hooks/pendingCategories.ts'
import { focusedElement } from '../RestoreFocus.tsx'
import { rowKeys } from './rowKeys.ts'
import { CategoryRow } from './CategoryRow.tsx'
import { type CategoryRowsProps, PendingRow } from './CategoryRows.tsx'

export interface WindowedRowsProps extends CategoryRowsProps {
  /** The scrolling box. */
  readonly viewport: RefObject<HTMLElement | null>
  /** A new value scrolls back to the first row. */
  readonly resetKey: string
}

/** Keeps only the rows in view in the page. In a separate file, so that only lists that use it load it. */
export function WindowedRows(props: WindowedRowsProps): ReactElement {
  'use no memo' // React Compiler would freeze the virtualizer.
  const { rows, pending, pendingLabel, selectedIds, options, describedBy, viewport, resetKey } = props
  const items = useMemo<readonly (Category | PendingCategory)[]>(
    () => (pending.length > 0 ? [...rows, ...pending] : rows),
    [rows, pending],
  )
  const keys = useMemo(() => rowKeys(rows), [rows])
  const focused = useFocusedIndex(viewport, items)
  const lastResetKey = useRef(resetKey)

  useLayoutEffect(() => {
    if (lastResetKey.current !== resetKey) viewport.current?.scrollTo(0, 0)
    lastResetKey.current = resetKey
  }, [resetKey, viewport])

  return (
    <ListContext.Provider value={useMemo(() => ({ size: items.length, describedBy }), [items.length, describedBy])}>
      <Virtualizer as={List} item={Item} data={items} scrollRef={viewport} keepMounted={focused}>
        {(category, index) =>
          'key' in category ? (
            <PendingRow key={category.key} category={category} label={pendingLabel} options={options} as="div" />
          ) : (
            <CategoryRow
              key={keys[index]}
              category={category}
              isSelected={selectedIds.has(category.id)}
              options={options}
              as="div"
            />
          )
        }
      </Virtualizer>
    </ListContext.Provider>
  )
}

/** The index of the focused row, which stays in the page however far it is scrolled away. Otherwise it would lose the focus. */
function useFocusedIndex(
  viewport: RefObject<HTMLElement | null>,
  items: readonly (Category | PendingCategory)[],
): readonly number[] {
  // A key, not the item: a new response consists of new objects.
  const [focused, setFocused] = useState<string>()

  useEffect(() => {
    const element = viewport.current
    const follow = () => {
      const row = element && focusedElement(element)?.closest('[aria-posinset]')
      const item = items[Number(row?.getAttribute('aria-posinset')) - 1]
      setFocused(item && keyOf(item))
    }
    const leave = () => setFocused(undefined)
    element?.addEventListener('focusin', follow)
    element?.addEventListener('focusout', leave)
    return () => {
      element?.removeEventListener('focusin', follow)
      element?.removeEventListener('focusout', leave)
    }
  }, [viewport, items])

  return useMemo(() => {
    const index = focused === undefined ? -1 : items.findIndex((item) => keyOf(item) === focused)
    return index < 0 ? [] : [index]
  }, [focused, items])
}

function keyOf(item: Category | PendingCategory): string {
  return 'key' in item ? item.key : item.id
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
