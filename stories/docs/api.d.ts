declare module 'virtual:petstore-api' {
  // What is declared here cannot import a file by its path in any other way.
  // oxlint-disable-next-line typescript/consistent-type-imports
  export const api: import('../../.storybook/readApi.ts').Api
  /** What each entry of the package exports. */
  // oxlint-disable-next-line typescript/consistent-type-imports
  export const entries: Readonly<Record<string, readonly import('../../.storybook/entries.ts').PublicName[]>>
}
