import { readDerivedTokens, readTokens, type Tokens } from './readTokens.ts'

/** The tokens of `tokens.css`, as they apply on a page. */
export interface TokenSets {
  /** Every token in usual contrast and regular density. */
  readonly usual: Tokens
  readonly highContrast: Tokens
  readonly compact: Tokens
  readonly spacious: Tokens
  /** The tokens among them that derive from others. */
  readonly derived: Tokens
}

export function readTokenSets(css: string): TokenSets {
  const derived = readDerivedTokens(css)
  const usual = new Map([
    ...readTokens(css, ':root:where(:not([data-petstore-contrast="more"])), :host'),
    ...readTokens(css, ':root, :host'),
    ...derived,
  ])
  const also = (selector: string) => new Map([...usual, ...readTokens(css, selector)])
  return {
    usual,
    derived,
    highContrast: also(':root, :host, [data-petstore-contrast="more"]'),
    compact: also('[data-petstore-density="compact"]'),
    spacious: also('[data-petstore-density="spacious"]'),
  }
}
