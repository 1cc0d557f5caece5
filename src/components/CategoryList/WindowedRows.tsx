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
import type { CategoryRowsProps, RevealedRow } from './CategoryRows.tsx'

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

const ListContext = /* @__PURE__ */ createContext<ListContextValue>({ size: 0, describedBy: '' })

interface ListProps {
  readonly style: object
  readonly children: ReactNode
}

const List = /* @__PURE__ */ forwardRef<HTMLUListElement, ListProps>(function List({ style, children }, ref) {
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

const Item = /* @__PURE__ */ forwardRef<HTMLLIElement, ItemProps>(function Item({ style, index, children }, ref) {
  const { size } = useContext(ListContext)
  return (
    <li ref={ref} style={style} className="petstore-category-list-item" aria-posinset={index + 1} aria-setsize={size}>
      {children}
    </li>
  )
})

interface WindowFocus {
  /** The indexes of rows that stay in the page however far they are scrolled away, or the focus would get lost. */
  readonly mounted: readonly number[]
  /** The index of the row whose checkbox is a tab stop: the one that had the focus last. */
  readonly tabStop: number
}

interface WindowFocusOptions {
  readonly items: CategoryRowsProps['items']
  /** The React key of a row. A new response may move a row, but not its key. */
  readonly keyOf: (item: CategoryRowsProps['items'][number]) => string
  readonly revealed: RevealedRow | undefined
  readonly hasCheckboxes: boolean
  readonly focusRow: (row: Element) => void
}

/** Where the focus goes next. */
interface Move {
  readonly key: string
  readonly focuses: 'row' | 'checkbox' | 'nothing'
}

/** How many frames the virtualizer may take to measure and show a row that was far away. */
const maxFrames = 30

/**
 * Follows the focus through the window, and moves it: with the arrow keys from checkbox to checkbox (the ARIA practices
 * call it a roving tabindex), and to a row that is revealed.
 */
function useWindowFocus(
  viewport: RefObject<HTMLElement | null>,
  { items, keyOf, revealed, hasCheckboxes, focusRow }: WindowFocusOptions,
): WindowFocus {
  const [focused, setFocused] = useState<string>()
  const [last, setLast] = useState<string>()
  const [move, setMove] = useState<Move>()
  const [lastRevealed, setLastRevealed] = useState<RevealedRow>()
  if (revealed !== lastRevealed) {
    setLastRevealed(revealed)
    if (revealed) setMove({ key: revealed.id, focuses: revealed.takesFocus ? 'row' : 'nothing' })
  }
  const indexOfKey = (key: string | undefined) =>
    key === undefined ? -1 : items.findIndex((item) => keyOf(item) === key)
  /** A row may have moved by the time that it can take the focus. */
  const latestIndexOfKey = useRef(indexOfKey)

  useEffect(() => {
    latestIndexOfKey.current = indexOfKey
  })

  useEffect(() => {
    const keyAt = (index: number | undefined) => {
      const item = items[index ?? -1]
      return item && keyOf(item)
    }
    const element = viewport.current
    const follow = () => {
      const key = keyAt(indexOf(element?.querySelector('[aria-posinset]:focus-within')))
      setFocused(key)
      if (key !== undefined) setLast(key)
    }
    const leave = () => setFocused(undefined)
    const press = (event: KeyboardEvent) => {
      const key = keyAt((element && nextIndex(event, element, items.length)) ?? undefined)
      if (key === undefined) return
      event.preventDefault()
      setMove({ key, focuses: event.target === element ? 'nothing' : 'checkbox' })
    }
    element?.addEventListener('focusin', follow)
    element?.addEventListener('focusout', leave)
    element?.addEventListener('keydown', press)
    return () => {
      element?.removeEventListener('focusin', follow)
      element?.removeEventListener('focusout', leave)
      element?.removeEventListener('keydown', press)
    }
  }, [viewport, items, keyOf])

  useEffect(() => {
    if (!move) return undefined
    let frame = 0
    let lastTop: number | undefined
    let hadFocus = false
    // The row moves when the virtualizer measures it, and is hidden until then: nothing hidden takes the focus.
    const reveal = (framesLeft: number) => {
      const { activeElement, body } = document
      // A person has moved on meanwhile. A row that the virtualizer replaces leaves the focus to the body.
      if (hadFocus && activeElement !== body && !viewport.current?.contains(activeElement)) return
      const row = viewport.current?.querySelector(`[aria-posinset="${latestIndexOfKey.current(move.key) + 1}"] > *`)
      row?.scrollIntoView({ block: 'nearest' })
      if (move.focuses === 'row' && row) focusRow(row)
      if (move.focuses === 'checkbox') row?.querySelector('input')?.focus({ preventScroll: true })
      hadFocus ||= row?.matches(':focus-within') === true
      const top = row?.getBoundingClientRect().top
      const hasMoved = top === undefined || top !== lastTop
      const lacksFocus = move.focuses !== 'nothing' && !row?.matches(':focus-within')
      lastTop = top
      if ((hasMoved || lacksFocus) && framesLeft > 0) frame = requestAnimationFrame(() => reveal(framesLeft - 1))
    }
    reveal(maxFrames)
    return () => cancelAnimationFrame(frame)
  }, [move, viewport, focusRow])

  const tabStop = Math.max(0, indexOfKey(last))
  const others = [indexOfKey(focused), indexOfKey(move?.key)]
  const mounted = [...others, hasCheckboxes ? tabStop : -1].filter((index) => index >= 0 && index < items.length)
  return { tabStop, mounted }
}

/** Of the row around an element; -1 if there is none. */
const indexOf = (element: Element | null | undefined) => Number(element?.getAttribute('aria-posinset') ?? 0) - 1

/**
 * The row that a key press moves to, on a checkbox or on the box itself; `undefined` for any other event. The box scrolls by
 * itself, but not always to the end: WebKit scrolls there smoothly, and stops when the virtualizer measures rows.
 */
function nextIndex(event: KeyboardEvent, viewport: HTMLElement, count: number): number | undefined {
  const { key, target, altKey, ctrlKey, metaKey } = event
  const isBox = target === viewport
  const focused = isBox ? viewport : viewport.querySelector('[type="checkbox"]:focus')
  if (!focused || altKey || ctrlKey || metaKey) return undefined
  const item = focused.closest('[aria-posinset]')
  const index = isBox ? 0 : indexOf(item)
  const page = Math.max(1, Math.floor(viewport.clientHeight / (item?.clientHeight || 1)) - 1)
  const ends: Readonly<Record<string, number>> = { Home: -count, End: count }
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, ...ends }
  const step = (isBox ? ends : steps)[key]
  return step === undefined || index < 0 ? undefined : Math.min(count - 1, Math.max(0, index + step))
}
