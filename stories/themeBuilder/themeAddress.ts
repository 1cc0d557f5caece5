import { STORY_CHANGED } from 'storybook/internal/core-events'
import { addons } from 'storybook/preview-api'
import { defaultTheme, readTheme, type Theme, writeTheme } from './theme.ts'

/** The query parameter that has the theme. */
const parameter = 'design'

/**
 * The address that people see and share: of the page around the frame with the stories, if that is the playground.
 * `undefined` where the builder is on a page that is none.
 */
function storybookWindow(): Window | undefined {
  try {
    return [parent, window].find(({ location }) => /[?&](?:path|id)=/.test(location.search))
  } catch {
    return undefined // another site shows the page in its frame
  }
}

/** What the address says about the theme. */
export function readAddress(): Partial<Theme> {
  const search = new URLSearchParams(storybookWindow()?.location.search)
  return readTheme(search.get(parameter) ?? '')
}

/** Writes the theme into the address, without a step in the history of the browser for each move of a slider. */
export function writeAddress(theme: Theme): void {
  const page = storybookWindow()
  if (!page) return
  page.history.replaceState(page.history.state, '', addressOf(page.location.href, theme))
}

// The theme of one story is not that of the next.
addons.getChannel().on(STORY_CHANGED, () => writeAddress(defaultTheme))

/** The address of a page with a theme. */
function addressOf(href: string, theme: Theme): string {
  const url = new URL(href)
  const text = writeTheme(theme)
  url.searchParams.delete(parameter)
  // The playground writes its own parameters with these signs too, and people can read them.
  const added = text === '' ? '' : `&${parameter}=${text}`
  return `${url.origin}${url.pathname}${decodeSigns(url.search)}${added}${url.hash}`
}

const decodeSigns = (search: string) => search.replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%3B', ';')

/** The address to share, with the theme in it. */
export const shareAddress = (theme: Theme): string => addressOf((storybookWindow() ?? window).location.href, theme)
