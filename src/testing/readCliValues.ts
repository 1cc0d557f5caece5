import type { PetstoreServiceOptions } from './PetstoreServiceOptions.ts'
import type { PlanName, QuotaWindow } from './plans.ts'
import type { RetryAfterFormat } from './retryAfter.ts'

/** The command-line options as text. */
export interface CliValues {
  readonly port: string
  readonly key: readonly string[]
  readonly plan?: string
  readonly window?: readonly string[]
  readonly categories?: string
  readonly 'retry-after'?: string
  readonly ban?: boolean
  readonly 'no-expose-headers'?: boolean
  readonly latency: string
}

/**
 * Turns command-line options into options of the service.
 *
 * @throws TypeError that names the option and says what to write instead.
 */
export function readCliValues(values: CliValues): { readonly port: number; readonly options: PetstoreServiceOptions } {
  const { plan, window, categories, ban = false } = values
  const port = readNumber('--port', values.port)
  if (port > 65_535) throw new TypeError(`--port takes a number up to 65535, not ${port}.`)
  if (plan !== undefined && window) throw new TypeError('--plan and --window exclude each other. Leave one out.')
  return {
    port,
    options: {
      keys: values.key,
      plan: window ? window.map(readWindow) : readWord('--plan', plan ?? 'free', planNames),
      ...(categories !== undefined && { categories: readNumber('--categories', categories) }),
      retryAfter: readWord('--retry-after', values['retry-after'] ?? 'seconds', retryAfterFormats),
      ban: ban && {},
      cors: { exposeHeaders: !values['no-expose-headers'] },
      latency: readNumber('--latency', values.latency),
    },
  }
}

const planNames: readonly PlanName[] = ['free', 'pro', 'business']
const retryAfterFormats: readonly Extract<RetryAfterFormat, string>[] = ['seconds', 'fractional', 'http-date']

function readNumber(option: string, text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw new TypeError(`${option} takes a whole number, not "${text}".`)
}

function readWord<Word extends string>(option: string, text: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === text)
  if (word === undefined) throw new TypeError(`${option} takes ${words.join(', ')}; not "${text}".`)
  return word
}

function readWindow(text: string): QuotaWindow {
  const [, limit, seconds] = /^(\d{1,10})\/(\d{1,10})$/.exec(text) ?? []
  if (!limit || !seconds) throw new TypeError(`--window takes LIMIT/SECONDS, such as 5/10; not "${text}".`)
  return { limit: Number(limit), per: Number(seconds) * 1000 }
}
