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
import type { CategoryRowsProps } from './CategoryRows.tsx'

type Items = CategoryRowsProps['items']

export interface WindowedRowsProps extends Pick<CategoryRowsProps, 'items' | 'revealed' | 'describedBy'> {
  /** The React keys of the items. */
  readonly keys: readonly string[]
  /** The scrolling box. */
  readonly viewport: RefObject<HTMLElement | null>
  /** A new value scrolls back to the first row. */
  readonly resetKey: string
  /** Renders one row. */
  readonly children: (item: Items[number], index: number) => ReactElement
}

/**
 * Keeps only the rows in view in the page. In a separate file, so that only lists that use it load it. It imports nothing
 * that lists without it need: bundlers would split that off into a file of its own.
 */
export function WindowedRows(props: WindowedRowsProps): ReactElement {
  'use no memo' // React Compiler would freeze the virtualizer.
  const { items, keys, revealed, describedBy, viewport, resetKey, children } = props
  const focused = useFocusedIndex(viewport, keys)
  const revealedIndex = revealed ? keys.indexOf(revealed.id) : -1
  const lastResetKey = useRef(resetKey)

  useLayoutEffect(() => {
    if (lastResetKey.current !== resetKey) viewport.current?.scrollTo(0, 0)
    lastResetKey.current = resetKey
  }, [resetKey, viewport])

  return (
    <ListContext.Provider value={useMemo(() => ({ size: items.length, describedBy }), [items.length, describedBy])}>
      <Virtualizer
        as={List}
        item={Item}
        data={items}
        scrollRef={viewport}
        keepMounted={revealedIndex < 0 ? focused : [...focused, revealedIndex]}
      >
        {children}
      </Virtualizer>
    </ListContext.Provider>
  )
}

/** The index of the focused row, which stays in the page however far it is scrolled away. Otherwise it would lose the focus. */
function useFocusedIndex(viewport: RefObject<HTMLElement | null>, keys: readonly string[]): readonly number[] {
  // A key, not an index: a new response may move the row.
  const [focused, setFocused] = useState<string>()

  useEffect(() => {
    const element = viewport.current
    const follow = () => {
      const row = element?.querySelector('[aria-posinset]:focus-within')
      setFocused(keys[Number(row?.getAttribute('aria-posinset')) - 1])
    }
    const leave = () => setFocused(undefined)
    element?.addEventListener('focusin', follow)
    element?.addEventListener('focusout', leave)
    return () => {
      element?.removeEventListener('focusin', follow)
      element?.removeEventListener('focusout', leave)
    }
  }, [viewport, keys])

  return useMemo(() => {
    const index = focused === undefined ? -1 : keys.indexOf(focused)
    return index < 0 ? [] : [index]
  }, [focused, keys])
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
