import { type ReactElement, useRef } from 'react'
import { BusyText, widthTexts } from '../BusyText.tsx'
import { classNames } from '../classNames.ts'
import { close, Icon, refresh as refreshIcon, search } from '../Icon.tsx'
import { useHeldUntil } from '../keyState.ts'
import { RestoreFocus } from '../RestoreFocus.tsx'
import { useIsSlow } from '../useIsSlow.ts'
import { useTextBeforeHydration } from '../useTextBeforeHydration.ts'
import type { ListView } from './ListView.ts'

interface CategoryListToolbarProps extends ListView {
  readonly filterable: boolean
  readonly refreshable: boolean
}

/** Filter box and refresh button. Both stay in every state, so that what is below does not jump. */
export function CategoryListToolbar(props: CategoryListToolbarProps): ReactElement {
  const { filterable, refreshable, isLoading, isRefreshing, refresh, failure, wait, labels, slots, sectionRef } = props
  const isSlow = useIsSlow(isRefreshing)
  // The notice has a button of its own that loads the list again.
  const hasRetry = failure?.canRetry === true && !failure.isSaidElsewhere
  const isInactive = isLoading || isRefreshing || hasRetry
  const phase = !isSlow || hasRetry ? 'idle' : wait ? 'waiting' : 'sending'
  const isKeyHeld = useHeldUntil() !== undefined
  const texts = { idle: labels.refresh, waiting: labels.held, sending: labels.refreshing }
  return (
    <div className={classNames('petstore-category-list-toolbar', slots.toolbar)}>
      {filterable && (
        <RestoreFocus fallbackRef={sectionRef} className="petstore-category-list-filter">
          <CategoryFilter {...props} />
        </RestoreFocus>
      )}
      {refreshable && (
        // Never `disabled`: the button would lose the focus. While the key is held, a press makes the notice say why.
        <button
          type="button"
          className={classNames('petstore-button petstore-category-list-refresh', slots.refresh)}
          aria-disabled={isInactive || isKeyHeld}
          data-texts={widthTexts(texts)}
          onClick={isInactive ? undefined : refresh}
        >
          <BusyText phase={phase} icon={refreshIcon}>
            {texts[phase]}
          </BusyText>
        </button>
      )}
    </div>
  )
}

function CategoryFilter(view: ListView): ReactElement {
  const { filter, setFilter, prepareFilter, emptyReason, labels, slots } = view
  const inputRef = useRef<HTMLInputElement>(null)
  useTextBeforeHydration(inputRef, filter, setFilter)

  return (
    <>
      <Icon path={search} className="petstore-category-list-filter-icon" />
      <input
        ref={inputRef}
        type="search"
        className={classNames('petstore-input petstore-category-list-filter-input', slots.filter)}
        aria-label={labels.filter}
        placeholder={labels.filter}
        autoComplete="off"
        spellCheck={false}
        // An empty box shows the placeholder, which follows the direction of the page.
        dir={filter === '' ? undefined : 'auto'}
        // There is nothing to filter. Not `disabled`: the box would lose the focus.
        readOnly={emptyReason === 'empty' && filter === ''}
        value={filter}
        onChange={({ currentTarget }) => setFilter(currentTarget.value)}
        // After the browser has drawn the focus ring: preparing the filter of a long list takes time.
        onFocus={() => void setTimeout(prepareFilter, 0, true)}
        onBlur={() => prepareFilter(false)}
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
            const box = inputRef.current
            if (!box) return
            // Empty the box before it gets the focus: a screen reader would read the old text.
            box.value = ''
            box.focus()
            // Later: a screen reader has to notice the new focus before this button disappears.
            setTimeout(setFilter, 20, '')
          }}
        >
          <Icon path={close} />
        </button>
      )}
    </>
  )
}
