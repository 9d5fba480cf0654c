/**
 * Calls at most once in `ms` milliseconds: callers meanwhile share the answer, also one that is still under way. A
 * failure is shared by those who waited for it and then asked again. `nowMs` must never go back.
 */
export function share<T>(
  ask: () => Promise<T>,
  ms: number,
  nowMs: () => number = () => performance.now(),
): () => Promise<T> {
  let shared: { readonly answer: Promise<T>; readonly untilMs: number } | undefined
  return () => {
    if (shared !== undefined && nowMs() < shared.untilMs) return shared.answer
    const call = { answer: ask(), untilMs: nowMs() + ms }
    shared = call
    call.answer.catch(() => {
      if (shared === call) shared = undefined
    })
    return call.answer
  }
}
