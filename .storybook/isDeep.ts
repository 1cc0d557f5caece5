/** Whether tests leave nothing out: `vitest run --mode deep`. The manager of Storybook has no `import.meta.env`. */
export const isDeep: boolean = import.meta.env.MODE === 'deep'
