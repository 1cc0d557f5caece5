const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

// The three forms that RFC 9110 §5.6.7 has recipients accept. The name of the day is not compared with the date.
const forms = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[\d ]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
]

/**
 * Reads an HTTP-date (RFC 9110 §5.6.7) into epoch ms; `undefined` for anything else. `Date.parse` will not do: it makes
 * dates of numbers and lists.
 *
 * @param near - epoch ms; a two-digit year is the one of that ending not more than 50 years after it
 */
export function parseHttpDate(text: string, near: number): number | undefined {
  for (const form of forms) {
    const parts = form.exec(text)?.groups
    if (!parts) continue
    const { day = '', month = '', year = '', time = '' } = parts
    const monthIndex = months.indexOf(month)
    const date = new Date(0)
    date.setUTCFullYear(year.length === 2 ? fullYear(Number(year), near) : Number(year), monthIndex, Number(day))
    const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number)
    if (date.getUTCMonth() !== monthIndex || hour > 23 || minute > 59 || second > 60) return undefined
    return date.setUTCHours(hour, minute, second)
  }
  return undefined
}

function fullYear(twoDigits: number, near: number): number {
  const thisYear = new Date(near).getUTCFullYear()
  const sameCentury = thisYear - (thisYear % 100) + twoDigits
  return sameCentury > thisYear + 50 ? sameCentury - 100 : sameCentury
}
