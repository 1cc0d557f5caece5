// The virtual modules of `.storybook/main.ts`.

declare module 'virtual:petstore-reference' {
  // The declaration of a module may hold no import of a relative path (TS2439), only a type that imports it.
  // oxlint-disable-next-line typescript/consistent-type-imports
  export const reference: import('../.storybook/readReference.ts').Reference
}

declare module 'virtual:petstore-first-results' {
  // As above: TS2439.
  // oxlint-disable-next-line typescript/consistent-type-imports
  export const firstResults: import('./quotaLab/simulateAll.ts').Results
}
