/** Calls a function of the app. What it throws is the app's mistake: it is reported, and harms nobody here. */
export function invokeCallback<Values extends readonly unknown[]>(
  listener: ((...values: Values) => void) | undefined,
  ...values: Values
): void {
  try {
    listener?.(...values)
  } catch (error) {
    globalThis.reportError?.(error)
  }
}
