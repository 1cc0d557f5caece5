import { type ReactElement, useRef } from 'react'
import { classNames } from '../classNames.ts'
import { useTextBeforeHydration } from '../useTextBeforeHydration.ts'
import { forgetFilter, prepareFilter } from './filterCategories.ts'
import type { ListView } from './ListView.ts'

/** The filter's search box, with a button that clears it. */
export function CategoryFilter({ all, filter, setFilter, labels, format, slots }: ListView): ReactElement {
  const input = useRef<HTMLInputElement>(null)
  useTextBeforeHydration(input, filter, setFilter)

  return (
    <>
      <svg
        className="petstore-category-list-icon petstore-category-list-filter-icon"
        viewBox="0 0 20 20"
        aria-hidden="true"
      >
        <path d="m17 17-4-4M14.5 9a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0Z" />
      </svg>
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
            setFilter('')
            input.current?.focus()
          }}
        >
          <svg className="petstore-category-list-icon" viewBox="0 0 20 20" aria-hidden="true">
            <path d="m5.5 5.5 9 9m0-9-9 9" />
          </svg>
        </button>
      )}
    </>
  )
}
