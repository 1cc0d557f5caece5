import type { ServiceAddresses } from './addressesAt.ts'

/** What `petstore-service --help` prints. */
export const usage = `petstore-service: the Petstore service on this machine, in memory, for demos and tests

Usage: petstore-service [options]

  --port PORT              port to listen on, 0 for any free one (default 4010)
  --key KEY                an API key to accept; may be repeated (default demo)
  --plan PLAN              free, pro or business (default free: 60 requests a minute and 1,000 a day)
  --window LIMIT/SECONDS   a limit of your own instead of a plan, such as 5/10; may be repeated
  --categories COUNT       so many made-up categories (default: a handful)
  --retry-after FORMAT     seconds, fractional or http-date (default seconds)
  --ban                    ban a key that keeps asking while it should wait (a simulation)
  --no-expose-headers      do not let pages of other origins read the rate limit headers
  --latency MILLISECONDS   time that each response takes (default 0)
  --help                   print this text
`

/** What is printed once the service listens: where, with which key, and requests to paste into a shell. */
export function greeting({ baseUrl, quickstartBaseUrl }: ServiceAddresses, key: string): string {
  const authorization = `-H ${quote(`Authorization: Bearer ${key}`)}`
  const json = "-H 'Content-Type: application/json'"
  return `Base URL        ${baseUrl}
Quickstart URL  ${quickstartBaseUrl}
API key         ${key}

List categories:
  curl -i ${baseUrl}/categories ${authorization}
Create a category:
  curl -i ${baseUrl}/categories ${authorization} ${json} -d '{"name":"Hamster"}'
Send a message:
  curl -i ${quickstartBaseUrl}/messages ${authorization} ${json} -d '{"message":"Hello"}'

Stop with Ctrl+C.
`
}

/** One word for a POSIX shell, whatever the key holds. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
