import type { AnyConfig, Registered, SecretKey, Value } from '../config-types.ts'
import { ConfigError } from '../config-error.ts'

/**
 * Holds secret values so that they do not leave by accident: not through JSON, a log, or the properties of a client
 * component. It has no `toJSON` on purpose: React refuses to send such an object to a browser, and the build fails.
 */
export class Secrets<C extends AnyConfig = Registered> {
  readonly #values: ReadonlyMap<string, unknown>

  constructor(values: { readonly [K in SecretKey<C>]?: Value<C, K> }) {
    this.#values = new Map(Object.entries(values))
  }

  /** Returns the value of a secret key. */
  get<K extends SecretKey<C>>(key: K): Value<C, K> {
    if (!this.#values.has(key)) throw new ConfigError('unknown_key', `No secret ${key}`)
    // It went in with this type.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return this.#values.get(key) as Value<C, K>
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Secrets(${this.#values.size}) { hidden }`
  }
}
