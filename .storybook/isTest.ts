/** Whether the stories run as tests. No variable of the environment reaches them there. */
export const isTest = '__vitest_browser__' in globalThis
