import { type CSSProperties, type ReactElement, useId, useState } from 'react'
import css from '../../src/components/tokens.css?raw'
import {
  AuthenticationError,
  CategoryForm,
  type CategoryId,
  CategoryList,
  ErrorNotice,
  RateLimitBadge,
  RateLimitError,
  useCategories,
} from '../../src/index.ts'
import { readTokens } from '../docs/readTokens.ts'
import { ContrastList } from './ContrastList.tsx'
import { contrastPairs, type Look } from './contrastPairs.ts'
import { type Declarations, hostVariables } from './hostVariables.ts'
import type { Theme } from './theme.ts'

const declarationsOf = (selector: string): Declarations =>
  Object.fromEntries([...readTokens(css, selector)].map(([name, value]) => [`--petstore-${name}`, value]))

/** Tokens that do not depend on contrast. */
const common = declarationsOf(':root, :host')
const usualColors = declarationsOf(':root:where(:not([data-petstore-contrast="more"])), :host')

const call = { operation: 'listCategories', attempts: 1 } as const
const failure = new AuthenticationError(call, { status: 401, body: undefined })
const refusal = new RateLimitError(call, Date.now() + 3_600_000)

interface ThemePreviewProps {
  readonly look: Look
  readonly theme: Theme
}

/** The components in one look of the theme, as on a page of an app, and the contrast of its colors. */
export function ThemePreview({ look, theme }: ThemePreviewProps): ReactElement {
  const { title, scheme, isHighContrast } = look
  const titleId = useId()
  const { data } = useCategories()
  const [selection, setSelection] = useState<readonly CategoryId[]>()
  // Sets the kit's tokens again, as on a page of its own: those of the playground have its color scheme and density.
  const page = {
    colorScheme: scheme,
    ...common,
    ...(!isHighContrast && usualColors),
    ...(theme.source !== 'own' && hostVariables[theme.source]),
  } as CSSProperties
  return (
    <figure>
      <figcaption id={titleId}>{title}</figcaption>
      <div className="theme-page" style={page}>
        <div className="petstore-theme theme-part" data-petstore-contrast={isHighContrast ? 'more' : undefined}>
          <CategoryList
            aria-labelledby={titleId}
            selectionMode="single"
            filterable={false}
            refreshable={false}
            selection={selection ?? data?.slice(0, 1).map(({ id }) => id) ?? []}
            onSelectionChange={setSelection}
          />
          <CategoryForm aria-labelledby={titleId} />
          <RateLimitBadge />
          {/* Only to look at: in an inert dialog they announce nothing, as `StillScene` says. */}
          {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
          <div className="theme-part" inert role="dialog">
            <ErrorNotice error={failure} onRetry={() => {}} />
            <ErrorNotice error={refusal} />
          </div>
        </div>
      </div>
      {theme.source === 'own' && (
        <details>
          <summary>{`${contrastPairs.length} contrast ratios`}</summary>
          <ContrastList theme={theme} look={look} />
        </details>
      )}
    </figure>
  )
}
