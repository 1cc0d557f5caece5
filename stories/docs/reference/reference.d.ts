declare module 'virtual:petstore-reference' {
  // What is declared here cannot import a file by its path in any other way.
  // oxlint-disable-next-line typescript/consistent-type-imports
  export const reference: import('../../../.storybook/readReference.ts').Reference
}
