import { createHook } from 'node:async_hooks'

const ticks: object[] = []

/**
 * Keeps one object of `process.nextTick` for ever. Node makes such an object for each call, from a literal with computed names.
 * When a full collection finds none, V8 forgets their shape, and from then on builds each of them in its runtime: 0.43 µs
 * instead of 0.07, seven times for one answer (docs/decisions/0051). Must run before the first full collection.
 */
export function keepTickShape(): void {
  const hook = createHook({ init: (_id, _type, _trigger, tick: object) => ticks.push(tick) })
  hook.enable()
  process.nextTick(() => undefined)
  hook.disable()
}
