/** Whether tests leave nothing out: `vitest run --mode deep`. Not in isTest.ts, which the manager imports, too. */
export const isDeep: boolean = import.meta.env.MODE === 'deep'
