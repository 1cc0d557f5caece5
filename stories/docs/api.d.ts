declare module 'virtual:petstore-api' {
  // What is declared here cannot import a file by its path in any other way.
  // oxlint-disable-next-line typescript/consistent-type-imports
  const api: import('../../.storybook/readApi.ts').Api
  export default api
}
