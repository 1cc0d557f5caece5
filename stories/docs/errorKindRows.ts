import type { PetstoreError } from '../../src/client/errors.ts'
import { en } from '../../src/labels/en.ts'

/** The kind of an error class, such as `rate-limit` of `RateLimitError`; `undefined` for a class that has none of its own. */
export function kindOfClass(name: string): string | undefined {
  const kind = name
    .replace(/Error$/, '')
    .replaceAll(/\B[A-Z]/g, '-$&')
    .toLowerCase()
  return rows.find((row) => row.kind === kind)?.kind
}

interface ErrorKindRow {
  readonly kind: PetstoreError['kind']
  readonly when: string
  readonly outcome: string
  /** What people see besides the title. */
  readonly also?: string
}

const rows: readonly ErrorKindRow[] = [
  {
    kind: 'bad-request',
    when: '400: a field is missing or invalid',
    outcome: '`not-applied`',
    also: '. If the service names a field, `CategoryForm` shows the message there',
  },
  {
    kind: 'authentication',
    when: '401, even with a fresh key, or no usable key is available',
    outcome: '`not-applied`',
  },
  {
    kind: 'rate-limit',
    when: '429, or the wait would exceed `maxWait`. Has `retryAt`',
    outcome: '`not-applied`',
    also: ' and a countdown to the retry',
  },
  { kind: 'server', when: '5xx', outcome: '`unknown`' },
  {
    kind: 'unexpected-status',
    when: 'A status that the operation does not document, or a redirect. Redirects are never followed',
    outcome: '`unknown` for statuses below 300 and for redirects, otherwise `not-applied`',
  },
  {
    kind: 'response-validation',
    when: 'A success whose body is invalid or larger than `maxResponseSize`. Has `issues`',
    outcome: '`applied`; `unknown` where neither JSON nor the headers of the quota show that it came from the service',
  },
  {
    kind: 'input-validation',
    when: 'The input is invalid and nothing was sent. Has `issues`',
    outcome: '`not-applied`',
  },
  { kind: 'network', when: 'No response: offline, connection lost, or blocked by CORS', outcome: '`unknown`' },
  { kind: 'timeout', when: 'No response within `timeout`, by default 30 s', outcome: '`unknown`' },
]

/** A table of every kind of error. Code spans are written as in TSDoc. */
export const errorKinds = {
  head: ['Kind', 'When', 'Outcome', 'What people see'],
  rows: rows.map(({ kind, when, outcome, also = '' }) => [
    `\`${kind}\``,
    when,
    outcome,
    `"${en.errorNotice.errors[kind].title}"${also}`,
  ]),
} as const
