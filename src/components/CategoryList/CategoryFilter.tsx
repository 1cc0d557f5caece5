import { type ReactElement, useEffect, useRef } from 'react'
import { classNames } from '../classNames.ts'

interface CategoryFilterProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onFocus: () => void
  readonly onBlur: () => void
  readonly label: string
  readonly clearLabel: string
  readonly className: string | undefined
}

/** The filter's search box, with a button that clears it. */
export function CategoryFilter(props: CategoryFilterProps): ReactElement {
  const { value, onChange, onFocus, onBlur, label, clearLabel, className } = props
  const input = useRef<HTMLInputElement>(null)

  const isHydrated = useRef(false)
  useEffect(() => {
    // Text that was typed into the server's HTML before hydration.
    const typed = input.current?.value ?? ''
    if (!isHydrated.current && typed !== value) onChange(typed)
    isHydrated.current = true
  }, [value, onChange])

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
        className={classNames('petstore-input petstore-category-list-filter-input', className)}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        // An empty box shows the placeholder, which follows the direction of the page.
        dir={value === '' ? undefined : 'auto'}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onFocus={onFocus}
        onBlur={onBlur}
        onKeyDown={(event) => {
          // The list may be inside a form of the app, which Enter would submit.
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      {value !== '' && (
        <button
          type="button"
          className="petstore-button petstore-button-quiet petstore-category-list-clear"
          aria-label={clearLabel}
          onClick={() => {
            onChange('')
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
