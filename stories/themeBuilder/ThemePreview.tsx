import { type CSSProperties, type ReactElement, type ReactNode, type Ref, useId, useState } from 'react'
import css from '../../src/components/tokens.css?raw'
import { CategoryForm, type CategoryId, CategoryList, RateLimitBadge, useCategories } from '../../src/index.ts'
import { readTokens } from '../docs/readTokens.ts'
import { hostVariables } from './hostVariables.ts'
import type { Look } from './looks.ts'
import type { Declarations } from './mappings.ts'
import type { Theme } from './theme.ts'

const declarationsOf = (selector: string): Declarations =>
  Object.fromEntries([...readTokens(css, selector)].map(([name, value]) => [`--petstore-${name}`, value]))

/** Tokens that do not depend on contrast. */
const common = declarationsOf(':root, :host')
const usualColors = declarationsOf(':root:where(:not([data-petstore-contrast="more"])), :host')

interface ThemedPageProps {
  readonly look: Look
  readonly source: Theme['source']
  readonly children: ReactNode
}

/** A page of an app with the theme, in one look. */
export function ThemedPage({ look: { scheme, isHighContrast }, source, children }: ThemedPageProps): ReactElement {
  // The tokens as on a page of its own: those of this page follow its color scheme and density.
  const page = {
    ...common,
    ...(!isHighContrast && usualColors),
    ...(source !== 'own' && hostVariables[source]),
  } as CSSProperties
  return (
    <div className={`theme-page ${scheme}`} style={page}>
      <div className="petstore-theme" data-petstore-contrast={isHighContrast ? 'more' : undefined}>
        {children}
      </div>
    </div>
  )
}

interface ThemePreviewProps {
  readonly look: Look
  readonly source: Theme['source']
  /** An element in the theme, whose computed colors tell the contrast. */
  readonly probeRef: Ref<HTMLSpanElement>
}

/** The components in one look of the theme, as on a page of an app. */
export function ThemePreview({ look, source, probeRef }: ThemePreviewProps): ReactElement {
  const { title, scheme } = look
  const titleId = useId()
  const { data } = useCategories()
  const [selection, setSelection] = useState<readonly CategoryId[]>()
  return (
    <figure className="theme-preview">
      <figcaption id={titleId}>{title}</figcaption>
      <ThemedPage look={look} source={source}>
        <div className="theme-sample">
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
          <span ref={probeRef} className="petstore-input theme-probe" style={{ colorScheme: scheme }} hidden />
        </div>
      </ThemedPage>
    </figure>
  )
}
