import { table } from '../table.ts'
import type { CallRecord, Goal, Pair, Run, World } from './runWorld.ts'

/** A call that succeeds with plain `fetch`, and what the kit makes of it. */
interface PairedCall {
  readonly kit: CallRecord
  readonly plain: CallRecord
}

/** What a world shows, over all of its seeds. Times in ms. */
export interface Figures {
  readonly succeededInPlain: number
  /** How many of these calls do not succeed with the kit. */
  readonly unsuccessful: number
  /** How much later each call succeeds with the kit, the smallest delay first. */
  readonly added: readonly number[]
  readonly ratio: number
  readonly requests: { readonly kit: number; readonly plain: number }
  readonly refused: { readonly kit: number; readonly plain: number }
  readonly duringCooldown: number
}

export function figuresOf(pairs: readonly Pair[]): Figures {
  const calls = pairs.flatMap(pairCalls)
  const succeeded = calls.filter(({ kit }) => kit.succeededAt !== undefined)
  const slowest = (pick: (call: PairedCall) => CallRecord) => Math.max(...succeeded.map((call) => timeOf(pick(call))))
  const count = (who: keyof Pair, isCounted: (exchange: Run['exchanges'][number]) => boolean) =>
    pairs.reduce((sum, pair) => sum + pair[who].exchanges.filter(isCounted).length, 0)
  return {
    succeededInPlain: calls.length,
    unsuccessful: calls.length - succeeded.length,
    added: succeeded.map(({ kit, plain }) => timeOf(kit) - timeOf(plain)).toSorted((one, other) => one - other),
    ratio: slowest(({ kit }) => kit) / slowest(({ plain }) => plain),
    requests: { kit: count('kit', () => true), plain: count('plain', () => true) },
    refused: { kit: count('kit', isRefused), plain: count('plain', isRefused) },
    duringCooldown: count('kit', ({ duringCooldown }) => duringCooldown),
  }
}

/** Whether plain `fetch` uses less than 70 % of the limit in each minute, and meets no 429. */
export function isFree({ limit = 60 }: World, { plain }: Pair): boolean {
  const perMinute = new Map<number, number>()
  for (const { sentAt } of plain.exchanges) {
    const minute = Math.floor(sentAt / 60_000)
    perMinute.set(minute, (perMinute.get(minute) ?? 0) + 1)
  }
  return Math.max(...perMinute.values()) < 0.7 * limit && !plain.exchanges.some(isRefused)
}

const isRefused = ({ status }: Run['exchanges'][number]) => status === 429
const timeOf = ({ startedAt, succeededAt = Infinity }: CallRecord) => succeededAt - startedAt

/** The calls that succeed with plain `fetch`, each with what became of it with the kit. */
function pairCalls({ kit, plain }: Pair): PairedCall[] {
  return plain.calls.flatMap((call, index) => {
    const other = kit.calls[index]
    if (other?.address !== call.address) throw new Error('The kit did not get the same calls.')
    return call.isCounted && call.succeededAt !== undefined ? [{ kit: other, plain: call }] : []
  })
}

/** The value that this fraction of the calls does not exceed. */
const percentile = (sorted: readonly number[], fraction: number) =>
  sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? Number.NaN

/** Says which goals the figures of a world miss. */
export function missesOf({ goal }: World, figures: Figures): string[] {
  const { added, unsuccessful, ratio, refused, duringCooldown } = figures
  const above = (name: string, value: number, max: number | undefined, write: (value: number) => string) =>
    max !== undefined && !(value <= max) ? [`${name} ${write(value)} (goal ${write(max)})`] : []
  return [
    ...(unsuccessful > 0 ? [`${unsuccessful} do not succeed`] : []),
    ...above('p50', percentile(added, 0.5), goal.p50, writeAdded),
    ...above('p95', percentile(added, 0.95), goal.p95, writeAdded),
    ...above('max', percentile(added, 1), goal.max, writeAdded),
    ...above('slowest', ratio, goal.ratio, writeRatio),
    ...(refused.kit > refused.plain ? [`${refused.kit - refused.plain} more 429s than plain fetch`] : []),
    ...(duringCooldown > 0 ? [`${duringCooldown} requests in a cool-down`] : []),
  ]
}

function writeGoal({ p50, p95, max, ratio }: Goal): string {
  const parts = [
    p50 !== undefined && `p50 ${writeAdded(p50)}`,
    p95 !== undefined && `p95 ${writeAdded(p95)}`,
    max !== undefined && `max ${writeAdded(max)}`,
    ratio !== undefined && `slowest ${writeRatio(ratio)}`,
  ]
  return parts.filter(Boolean).join(', ')
}

const header = [
  'world',
  'plain succeeds',
  'of these not by the kit',
  'added p50',
  'p95',
  'max',
  'slowest',
  'requests: plain',
  'kit',
  '429s: plain',
  'kit',
  'in a cool-down',
  'goal',
  'holds',
]

/** A row for each world. */
export function tableOf(rows: readonly (readonly [World, Figures])[]): string {
  const lines = rows.map(([world, figures]) => {
    const { succeededInPlain, unsuccessful, added, ratio, requests, refused, duringCooldown } = figures
    return [
      world.name,
      String(succeededInPlain),
      String(unsuccessful),
      ...[0.5, 0.95, 1].map((part) => writeAdded(percentile(added, part))),
      writeRatio(ratio),
      ...[requests.plain, requests.kit, refused.plain, refused.kit, duringCooldown].map(String),
      writeGoal(world.goal),
      missesOf(world, figures).length === 0 ? 'yes' : '**no**',
    ]
  })
  return table(header, lines)
}

/** Each request of the kit, and each call that succeeds later than with plain `fetch`, or not at all. */
export function trace(seed: number, pair: Pair): string {
  const { start, exchanges } = pair.kit
  const since = (time: number | undefined) =>
    (time === undefined ? '–' : ((time - start) / 1_000).toFixed(3)).padStart(9)
  const requests = exchanges.map(({ sentAt, endedAt, page, call, attempt, address, status, duringCooldown }) =>
    [
      since(sentAt),
      since(endedAt),
      page.padEnd(8),
      `call ${call ?? '?'}, try ${attempt + 1}`.padEnd(16),
      address.padEnd(12),
      status ?? 'no response',
      duringCooldown ? 'IN A COOL-DOWN' : '',
    ].join('  '),
  )
  const late = pairCalls(pair).flatMap(({ kit, plain }) => {
    const added = timeOf(kit) - timeOf(plain)
    if (added <= 5) return [] // nobody notices so few ms
    const outcome =
      kit.succeededAt === undefined ? (kit.reason ?? 'did not end') : `succeeded ${writeAdded(added)} later`
    return [`${since(kit.startedAt)}  call ${pair.kit.calls.indexOf(kit)}  ${kit.address}  ${outcome}`]
  })
  return [
    `### Seed ${seed}: sent and received (s), page, call, address, status`,
    ...requests,
    '',
    `### Seed ${seed}: calls that succeed earlier with plain fetch, by their start (s)`,
    ...late,
  ].join('\n')
}

function writeAdded(ms: number): string {
  if (Number.isNaN(ms)) return '–'
  const rounded = Math.round(ms)
  return Math.abs(rounded) < 1_000 ? `${rounded} ms` : `${(rounded / 1_000).toFixed(1)} s`
}

const writeRatio = (ratio: number) => (Number.isFinite(ratio) ? `${ratio.toFixed(2)} ×` : '–')
