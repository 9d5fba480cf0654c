import type { EvaluationContext } from '@signalbox/contract'
import type { Core, CoreOptions, Values } from './core.ts'

type Subscriber = [fn: CoreOptions['onChange'], keys?: readonly string[]]

/** Describes a `ConfigClient` whose configuration is unknown to the compiler. */
export interface CoreClient extends Core {
  get(key: string): Promise<unknown>
  flag(key: string, context?: EvaluationContext): Promise<boolean>
  ready(): Promise<void>
  subscribe(...subscriber: Subscriber): () => void
}

/** Creates the client on top of the core that `open` creates. The code counts into the byte budget, as the core does. */
export function addReads<C extends Core>(
  options: CoreOptions,
  open: (options: CoreOptions) => C,
): C & CoreClient {
  const listeners = new Set<Subscriber>()
  let before: Values
  const core = open({
    ...options,
    onStatus(values, guard) {
      for (const [fn, keys = Object.keys({ ...before, ...values })] of listeners) {
        if (keys.some((key) => before[key] !== values[key])) guard(() => fn?.(core.snapshot()))
      }
      before = values
    },
  })
  const subscribe = (...entry: Subscriber) => {
    listeners.add(entry)
    return () => listeners.delete(entry)
  }
  // Reads the storage before there is a subscriber: the stored values are no change.
  void core.ready()
  subscribe(options.onChange)
  return Object.assign(core, {
    get: (key: string) => core.ready().then(() => core.snapshot().get(key)),
    flag: (key: string) => core.ready().then(() => core.snapshot().flag(key)),
    subscribe,
  })
}
