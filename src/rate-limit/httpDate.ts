const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

// The three forms that RFC 9110 §5.6.7 requires recipients to accept. A wrong name of the day is ignored.
const forms = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[\d ]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
]

/**
 * Reads an HTTP-date (RFC 9110 §5.6.7) into epoch ms; `undefined` for any other text. Not `Date.parse`: it reads
 * numbers and lists as dates.
 *
 * @param near - epoch ms; a two-digit year means the latest such year that is at most 50 years after it
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
