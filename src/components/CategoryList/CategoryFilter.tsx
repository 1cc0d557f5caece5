import { type ReactElement, useRef } from 'react'
import { classNames } from '../classNames.ts'
import { Icon, close, search } from '../Icon.tsx'
import { useTextBeforeHydration } from '../useTextBeforeHydration.ts'
import { forgetFilter, prepareFilter } from './filterCategories.ts'
import type { ListView } from './ListView.ts'

/** The filter's search box, with a button that clears it. */
export function CategoryFilter({ all, filter, setFilter, labels, format, slots }: ListView): ReactElement {
  const input = useRef<HTMLInputElement>(null)
  useTextBeforeHydration(input, filter, setFilter)

  return (
    <>
      <Icon path={search} className="petstore-category-list-filter-icon" />
      <input
        ref={input}
        type="search"
        className={classNames('petstore-input petstore-category-list-filter-input', slots.filter)}
        aria-label={labels.filter}
        placeholder={labels.filter}
        autoComplete="off"
        spellCheck={false}
        // An empty box shows the placeholder, which follows the direction of the page.
        dir={filter === '' ? undefined : 'auto'}
        value={filter}
        onChange={({ currentTarget }) => setFilter(currentTarget.value)}
        onFocus={() => prepareFilter(all, format.locale)}
        onBlur={() => void (filter === '' && forgetFilter(all))}
        onKeyDown={(event) => {
          // The list may be inside a form of the app, which Enter would submit.
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      {filter !== '' && (
        <button
          type="button"
          className="petstore-button petstore-button-quiet petstore-category-list-clear"
          aria-label={labels.clearFilter}
          onClick={() => {
            const box = input.current
            if (!box) return
            // Before it has the focus, since a screen reader reads its text then.
            box.value = ''
            box.focus()
            // After a frame: a screen reader has to learn where the focus is before this button, where it was, disappears.
            setTimeout(setFilter, 20, '')
          }}
        >
          <Icon path={close} />
        </button>
      )}
    </>
  )
}
