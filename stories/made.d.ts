// Modules that `.storybook/main.ts` makes. What is declared here cannot import a file by its path in any other way.

declare module 'virtual:petstore-reference' {
  // oxlint-disable-next-line typescript/consistent-type-imports
  export const reference: import('../.storybook/readReference.ts').Reference
}

declare module 'virtual:petstore-first-results' {
  // oxlint-disable-next-line typescript/consistent-type-imports
  export const firstResults: import('./quotaLab/simulateAll.ts').Results
}
