import type { ConfigValue } from '@signalbox/contract'
import type { Status, TargetedClient, TargetedSnapshot } from './client/client-types.ts'
import { ConfigError } from './config-error.ts'
import type { AnyConfig, FlagKey, KnownValues, Registered, Value } from './config-types.ts'

/** Describes a client in memory whose values a test sets. */
export interface TestConfigClient<C extends AnyConfig = Registered> extends TargetedClient<C> {
  /** Sets or replaces values, and notifies the subscribers before it returns. */
  set(values: KnownValues<C>): void
}

/** Maps flags to the variants that a test chooses. */
type Variants<C extends AnyConfig> = { readonly [K in FlagKey<C>]?: string }

type Values = ReadonlyMap<string, ConfigValue | undefined>
type Loose = TestConfigClient
type Subscriber = Parameters<Loose['subscribe']>

/** Returns the values with changes. */
function withValues(values: Values, changes: object): Values {
  const entries: [string, ConfigValue | undefined][] = Object.entries(changes)
  return new Map([...values, ...entries])
}

function takeSnapshot(version: number, values: Values, variants: object): TargetedSnapshot {
  const all = [...values]
  const flags = all.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')
  const get = <K extends string>(key: K): Value<Registered, K> => {
    if (!values.has(key)) throw new ConfigError('unknown_key', `No value for ${key}`)
    // The test has given it for this key.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return values.get(key) as Value<Registered, K>
  }
  return Object.freeze({
    version,
    public: Object.freeze(Object.fromEntries(all)),
    featureFlags: Object.freeze(Object.fromEntries(flags)),
    get,
    value: get,
    flag: (key: string) => values.get(key) === true,
    variant: (key: string) => new Map(Object.entries(variants)).get(key),
  })
}

function createClient(initialValues: object, variants: object): Loose {
  const subscribers = new Set<Subscriber>()
  const fetchedAt = new Date().toISOString()
  let values = withValues(new Map(), initialValues)
  let snapshot = takeSnapshot(1, values, variants)
  const statusNow = (): Status => {
    return { version: snapshot.version, source: 'network', fetchedAt, stale: false }
  }
  // The same object until something changes, as that of a real client: React renders forever otherwise.
  let status = statusNow()
  return {
    get: async (key) => snapshot.get(key),
    value: async (key) => snapshot.value(key),
    variant: async (key) => snapshot.variant(key),
    flag: async (key) => snapshot.flag(key),
    ready: async () => {},
    refresh: async () => {},
    close: () => subscribers.clear(),
    snapshot: () => snapshot,
    subscribe(...subscriber) {
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
    get status() {
      return status
    },
    set(changed) {
      const before = values
      values = withValues(values, changed)
      snapshot = takeSnapshot(snapshot.version + 1, values, variants)
      status = statusNow()
      for (const [fn, keys = [...values.keys()]] of subscribers) {
        if (keys.some((key) => before.get(key) !== values.get(key))) fn(snapshot)
      }
    },
  }
}

/**
 * Creates a client that returns `values` immediately and asks no server. A key without a value rejects as in a real
 * client, a flag without one is false. Rules decide nothing: `value` returns the value for every context, and `variant` the one in
 * `variants`. `snapshot().public` holds every value, because tiers exist only at compile time.
 */
export function createTestConfigClient<C extends AnyConfig = Registered>(
  values: KnownValues<C>,
  variants: Variants<C> = {},
): TestConfigClient<C> {
  const client: object = createClient(values, variants)
  // The types of the keys exist at compile time only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return client as TestConfigClient<C>
}
