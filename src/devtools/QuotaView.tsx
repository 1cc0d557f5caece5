import { type ReactElement, useId } from 'react'
import { countInFlight } from '../rate-limit/windows.ts'
import type { GateInspection } from '../rate-limit/rateLimitState.ts'
import { clockTime, format, shortDuration } from './clockTime.ts'
import { DevtoolsSection, ScrollableTable } from './DevtoolsSection.tsx'
import { historyLength, slotLength, tightestWindow, type Timeline, type TimelineSlot } from './timeline.ts'

interface QuotaViewProps {
  readonly timeline: Timeline
  readonly inspection: GateInspection
}

/** How much of the quota is left, and what became of it. */
export function QuotaView({ timeline, inspection }: QuotaViewProps): ReactElement {
  const { at, record } = inspection
  const window = tightestWindow(record, at)
  const left = window && Math.max(0, window.remaining - countInFlight(record))
  const limit = window && window.limit > 0 ? ` of ${format.number(window.limit)}` : ''
  return (
    <DevtoolsSection title="Quota">
      {window && left !== undefined ? (
        <p className="petstore-devtools-quota">
          {window.limit > 0 && (
            <meter
              min={0}
              low={window.limit / 5}
              optimum={window.limit}
              max={window.limit}
              value={left}
              aria-label="Requests left"
            />
          )}
          <span>{`${format.number(left)}${limit} requests left until ${clockTime(window.resetAt, at)}`}</span>
        </p>
      ) : (
        <p className="petstore-devtools-quiet">The service has not announced a quota.</p>
      )}
      <TimelineChart timeline={timeline} now={at} />
    </DevtoolsSection>
  )
}

interface TimelineChartProps {
  readonly timeline: Timeline
  /** Epoch ms. */
  readonly now: number
}

const slotCount = historyLength / slotLength
/** In the units of the drawing, where a slot is 10 wide. */
const height = { sent: 80, held: 40 }
const width = slotCount * 10
const minute = 60_000

/** Requests upward, calls that wait downward, and cool-downs behind both. Screen readers get the table. */
function TimelineChart({ timeline, now }: TimelineChartProps): ReactElement {
  const id = useId()
  const end = Math.floor(now / slotLength) * slotLength + slotLength
  const start = end - historyLength
  const slots = timeline.slots.filter((slot) => slot.start >= start)
  const maxSent = Math.max(4, ...slots.map(({ sent, elsewhere }) => sent + elsewhere))
  const maxHeld = Math.max(4, ...slots.map(({ held }) => held))
  const x = (time: number) => (Math.min(Math.max(time - start, 0), historyLength) / slotLength) * 10

  return (
    <figure className="petstore-devtools-timeline">
      <svg
        viewBox={`0 0 ${width} ${height.sent + height.held}`}
        preserveAspectRatio="none"
        className="petstore-devtools-chart"
        aria-hidden="true"
      >
        <pattern id={id} width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="3" height="8" className="petstore-devtools-cooldown-stripe" />
        </pattern>
        {timeline.cooldowns
          .filter(({ until }) => until > start)
          .map(({ from, until }) => (
            <rect
              key={from}
              x={x(from)}
              width={Math.max(2, x(until) - x(from))}
              height={height.sent + height.held}
              fill={`url(#${id})`}
            />
          ))}
        {slots.map((slot) => (
          <SlotBars
            key={slot.start}
            slot={slot}
            x={x(slot.start)}
            perRequest={height.sent / maxSent}
            perCall={height.held / maxHeld}
          />
        ))}
        <rect y={height.sent - 0.5} width={width} height="1" className="petstore-devtools-axis" />
      </svg>
      <p className="petstore-devtools-scale" aria-hidden="true">
        <span>{clockTime(start, now)}</span>
        <span>{clockTime(now, now)}</span>
      </p>
      <figcaption className="petstore-devtools-legend">
        <LegendItem kind="sent" text="sent by this tab" />
        <LegendItem kind="elsewhere" text="sent by other tabs or apps" />
        <LegendItem kind="refused" text="refused (429)" />
        <LegendItem kind="held" text="calls that wait" />
        <LegendItem kind="cooldown" text="cool-down" />
      </figcaption>
      <details className="petstore-devtools-details">
        <summary>Minute by minute</summary>
        <MinuteTable timeline={timeline} now={now} />
      </details>
    </figure>
  )
}

interface SlotBarsProps {
  readonly slot: TimelineSlot
  readonly x: number
  /** The height of one request. */
  readonly perRequest: number
  /** The height of one call that waits. */
  readonly perCall: number
}

function SlotBars({ slot, x, perRequest, perCall }: SlotBarsProps): ReactElement {
  const own = slot.sent * perRequest
  const others = slot.elsewhere * perRequest
  const top = height.sent - own - others
  return (
    <>
      {own > 0 && <rect x={x + 1} y={height.sent - own} width="8" height={own} className="petstore-devtools-sent" />}
      {others > 0 && <rect x={x + 1} y={top} width="8" height={others} className="petstore-devtools-elsewhere" />}
      {slot.held > 0 && (
        <rect x={x + 1} y={height.sent} width="8" height={slot.held * perCall} className="petstore-devtools-held" />
      )}
      {slot.refused > 0 && (
        <path
          d={`M${x + 1} 4l8 12m-8 0l8 -12`}
          vectorEffect="non-scaling-stroke"
          className="petstore-devtools-refused"
        />
      )}
    </>
  )
}

function LegendItem({ kind, text }: { readonly kind: string; readonly text: string }): ReactElement {
  return (
    <span className="petstore-devtools-legend-item">
      <svg viewBox="0 0 10 10" className="petstore-devtools-swatch" aria-hidden="true">
        {kind === 'refused' ? (
          <path d="M1 1l8 8m-8 0l8 -8" className="petstore-devtools-refused" />
        ) : (
          <rect width="10" height="10" className={`petstore-devtools-${kind}`} />
        )}
      </svg>
      {text}
    </span>
  )
}

const numbers = ['Sent here', 'Sent elsewhere', 'Refused', 'Most waiting', 'Cool-down']

function MinuteTable({ timeline: { slots, cooldowns }, now }: TimelineChartProps): ReactElement {
  const lastMinute = Math.floor(now / minute) * minute
  const minutes = Array.from({ length: historyLength / minute }, (_, index) => lastMinute - index * minute)
  return (
    <ScrollableTable label="Requests by minute" columns={['From', ...numbers]} numbers={numbers}>
      {minutes.map((from) => {
        const inside = slots.filter(({ start }) => start >= from && start < from + minute)
        const sum = (field: 'sent' | 'elsewhere' | 'refused') =>
          format.number(inside.reduce((total, { [field]: value }) => total + value, 0))
        const cooling = cooldowns.reduce(
          (total, span) => total + Math.max(0, Math.min(span.until, from + minute, now) - Math.max(span.from, from)),
          0,
        )
        return (
          <tr key={from}>
            <th scope="row">{clockTime(from, now)}</th>
            <td data-number>{sum('sent')}</td>
            <td data-number>{sum('elsewhere')}</td>
            <td data-number>{sum('refused')}</td>
            <td data-number>{format.number(Math.max(0, ...inside.map(({ held }) => held)))}</td>
            <td data-number>{cooling > 0 ? shortDuration(cooling) : 'none'}</td>
          </tr>
        )
      })}
    </ScrollableTable>
  )
}
