/** Class names for the parts of the badge. */
export interface RateLimitBadgeClassNames {
  /** Not in the compact badge. */
  readonly title?: string | undefined
  /** Not in the compact badge. */
  readonly state?: string | undefined
  readonly icon?: string | undefined
  /** How many requests are left. */
  readonly remaining?: string | undefined
  readonly time?: string | undefined
}
