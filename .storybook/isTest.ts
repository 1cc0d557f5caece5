/** Whether the stories run as tests. Not by `import.meta.env`: the manager, which imports this too, has none. */
export const isTest = '__vitest_browser__' in globalThis
