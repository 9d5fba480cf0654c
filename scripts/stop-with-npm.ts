/**
 * Sends this process SIGTERM when npm ends: a signal to npm ends npm and its shell, which do not pass it on. A process that
 * got the signal itself, as with Ctrl-C, is stopping already and must not be told twice.
 */
export function stopWithNpm(): void {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 500).unref()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => clearInterval(watch))
}
