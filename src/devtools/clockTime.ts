import { formatsFor } from '../labels/formats.ts'

/** Formats of English: the texts of the developer tools are not translated. */
export const format = formatsFor('en')

const day = 86_400_000
const timeOfDay = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const dateAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** A point in time (epoch ms) as on a clock, "14:03:20", with the date if that is half a day away or more. */
export function clockTime(epoch: number, now: number): string {
  return (Math.abs(epoch - now) < day / 2 ? timeOfDay : dateAndTime).format(epoch)
}

/** A duration in few digits: "12 ms", "1.2 s", "2 min 5 s". */
export function shortDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s` // from there on `toFixed` would write "10.0"
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** "1 request", "2 requests". */
export function count(number: number, one: string, other: string = `${one}s`): string {
  return `${format.number(number)} ${number === 1 ? one : other}`
}
