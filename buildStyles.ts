import { bundle, type Selector, type SelectorComponent } from 'lightningcss'

/**
 * A stylesheet of the package with all that it imports, minified. In `styles.layer.css` each selector stands in `:where()`:
 * what an app adds to the layer `petstore` wins, too.
 */
export function buildStyles(path: string): string {
  const isLayered = path.endsWith('.layer.css')
  const { code } = bundle({
    filename: path,
    minify: true,
    ...(isLayered && { visitor: { Selector: withoutSpecificity } }),
  })
  return new TextDecoder().decode(code)
}

/** `:where(.a:hover)::before`: a pseudo-element cannot stand in `:where()`. */
function withoutSpecificity(selector: Selector): Selector {
  const isPseudoElement = ({ type }: SelectorComponent) => type === 'pseudo-element'
  const end = selector.findIndex(isPseudoElement)
  const [elements, rest] = end < 0 ? [selector, []] : [selector.slice(0, end), selector.slice(end)]
  return [{ type: 'pseudo-class', kind: 'where', selectors: [elements] }, ...rest]
}
