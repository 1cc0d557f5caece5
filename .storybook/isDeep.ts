/** Whether tests leave nothing out (`--mode deep`). Not in isTest.ts: the manager imports that, and has no `env`. */
export const isDeep: boolean = import.meta.env.MODE === 'deep'
