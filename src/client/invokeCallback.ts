/** Calls the app's function. What it throws, or its promise rejects with, concerns the app, not this package. */
export function invokeCallback<Values extends readonly unknown[]>(
  listener: ((...values: Values) => void) | undefined,
  ...values: Values
): void {
  // An async function fits the type, too. Node ends a process whose promise rejects unseen.
  const invoke = async (): Promise<void> => listener?.(...values)
  invoke().catch(reportAppError)
}

function reportAppError(error: unknown): void {
  // Node has none, whatever its type says.
  const report: typeof reportError | undefined = globalThis.reportError
  if (report) report(error)
  else console.error(error)
}
