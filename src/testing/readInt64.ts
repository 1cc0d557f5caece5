import { isInt64 } from '../contract/int64.ts'

/** An int64 in an option. Write ids beyond the safe integers as strings or bigints. */
export type Int64 = string | number | bigint

/** @throws RangeError when `value` is no exact int64. `what` names it in the message. */
export function readInt64(value: Int64, what: string): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(`${what} ${value} is not an exact integer. Write it as a string or a bigint.`)
  }
  const text = String(value)
  if (!isInt64(text)) {
    throw new RangeError(`${what} "${text}" is not an int64 in plain decimal digits, such as '9223372036854775807'.`)
  }
  return text
}
