/** Class names for the parts of the list. */
export interface CategoryListClassNames {
  /** Filter box and refresh button. */
  readonly toolbar?: string | undefined
  /** The input of the filter. */
  readonly filter?: string | undefined
  readonly refresh?: string | undefined
  /** The line with the number of categories. */
  readonly summary?: string | undefined
  /** The `ul`; with `windowed` the scrolling box, whose height can be set here. */
  readonly rows?: string | undefined
  readonly row?: string | undefined
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** The box around the buttons of a row. */
  readonly actions?: string | undefined
  /** The button that shows more rows. */
  readonly more?: string | undefined
  /** Replaces the rows when there are none, or none that match the filter. */
  readonly empty?: string | undefined
  readonly skeleton?: string | undefined
}
