/** Whether the stories run as tests. Environment variables do not reach the browser there. */
export const isTest = '__vitest_browser__' in globalThis
