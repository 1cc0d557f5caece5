import type { ReactElement } from 'react'
import { fates } from './requestsByMinute.ts'
import type { RequestFate } from './simulate.ts'
import { formatNumber } from './summarize.ts'

const fateTitles: Readonly<Record<RequestFate, string>> = {
  succeeded: 'succeeded',
  refused: 'refused (429)',
  'in-cool-down': 'sent during a cool-down',
  banned: 'sent while banned',
}

/** What the colors and patterns of the charts mean. */
export function ChartLegend({ quota }: { readonly quota: number }): ReactElement {
  const keys: readonly (readonly [className: string, title: string])[] = [
    ...fates.map((fate) => [`chart-${fate}`, fateTitles[fate]] as const),
    ['chart-quota', quota === 0 ? 'quota: none left today' : `quota: ${formatNumber(quota)} a minute`],
    ['chart-open', 'gate: open'],
    ['chart-waiting', 'gate: waiting'],
  ]
  return (
    <ul className="chart-legend">
      {keys.map(([className, title]) => (
        <li key={className}>
          <span className={`chart-swatch ${className}`} aria-hidden="true" />
          {title}
        </li>
      ))}
    </ul>
  )
}
