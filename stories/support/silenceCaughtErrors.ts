/** `parameters.react` of stories whose error boundary shows the error: React need not log it too. */
export const silenceCaughtErrors = { rootOptions: { onCaughtError: () => {} } }
