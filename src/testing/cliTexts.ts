import type { ServiceAddresses } from './addressesAt.ts'

/** Printed by `petstore-service --help`. */
export const usage = `petstore-service: the Petstore service on this machine, in memory, for demos and tests

Usage: petstore-service [options]

  --port PORT              port to listen on, 0 for any free one (default 4010)
  --key KEY                an API key to accept; may be repeated (default demo)
  --plan PLAN              free, pro or business (default free: 60 requests a minute and 1,000 a day)
  --window LIMIT/SECONDS   your own limit instead of a plan, such as 5/10; may be repeated
  --categories COUNT       number of generated categories (default: five with real names)
  --retry-after FORMAT     seconds, fractional or http-date (default seconds)
  --ban                    ban a key that keeps sending during a cool-down (a simulation)
  --no-expose-headers      do not let pages of other origins read the rate limit headers
  --latency MILLISECONDS   duration of each response (default 0)
  --help                   print this text
`

/** Printed when the service listens: its addresses, its key, and requests to paste into a shell. */
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

/** Quotes any text as one word of a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
