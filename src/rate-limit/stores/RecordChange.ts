/** A store sends it to its listeners when a record has been written. */
export interface RecordChange {
  readonly name: string
  readonly record: unknown
}

export function isRecordChange(data: unknown): data is RecordChange {
  return (
    typeof data === 'object' && data !== null && 'name' in data && typeof data.name === 'string' && 'record' in data
  )
}
