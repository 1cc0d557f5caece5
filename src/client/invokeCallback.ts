/** Calls a function of the app. Reports what it throws instead of failing the call that it was invoked for. */
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
