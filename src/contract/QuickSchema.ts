import type { StandardSchemaV1 } from '@standard-schema/spec'

/** A schema of this package that also reads the text of a response, in one pass. */
export interface QuickSchema<Output = unknown> extends StandardSchemaV1<unknown, Output> {
  /**
   * The result for a text that it knows well; `undefined` for any other, valid or not. It agrees with `parseExactJson`
   * and the schema, which are to read all other texts.
   */
  readonly readQuickly: (text: string) => Output | undefined
}

export function isQuickSchema(schema: StandardSchemaV1): schema is QuickSchema {
  return 'readQuickly' in schema && schema['~standard'].vendor === 'petstore-react'
}
