/** Whether the stories run as tests. Environment variables do not reach the browser there. */
export const isTest = '__vitest_browser__' in globalThis

/** Whether tests leave nothing out: `vitest run --mode deep`. */
export const isDeep: boolean = import.meta.env.MODE === 'deep'
