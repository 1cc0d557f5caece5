/** The three forms that RFC 9110 §5.6.7 requires recipients to accept. */
const form =
  /^[A-Z][a-z]{2,8}(?:, (\d\d)[ -][A-Z][a-z]{2}[ -](?:\d\d){1,2} \d\d(?::[0-5]\d){2} GMT| [A-Z][a-z]{2} ([\d ]\d) \d\d(?::[0-5]\d){2} \d{4})$/

/**
 * Reads an HTTP-date (RFC 9110 §5.6.7) into epoch ms; `undefined` for any other text. A wrong name of the day is ignored.
 * A leap second is no time, and a two-digit year is one from 1950 to 2049. `Date.parse` alone reads numbers and lists as
 * dates, and 31 February as 3 March.
 */
export function parseHttpDate(text: string): number | undefined {
  const [match, first, second = first] = form.exec(text) ?? []
  if (match === undefined) return undefined
  // Not every engine reads the hyphens of the second form, and the third names no time zone.
  const time = Date.parse(`${match.replaceAll('-', ' ').replace(' GMT', '')} GMT`)
  return new Date(time).getUTCDate() === Number(second) ? time : undefined
}
