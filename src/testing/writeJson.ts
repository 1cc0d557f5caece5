/** A JSON value. A bigint becomes an exact integer literal of any size, like the service's int64 ids. */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | { readonly [field: string]: JsonValue | undefined }

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

/** `JSON.stringify` with support for bigints. Fields that are `undefined` are left out. */
export function writeJson(value: JsonValue): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`
  const fields = Object.entries(value).flatMap(([name, field]) =>
    field === undefined ? [] : [`${JSON.stringify(name)}:${writeJson(field)}`],
  )
  return `{${fields.join(',')}}`
}
