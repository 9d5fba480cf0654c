import type { Egress } from '../egress/create-egress.ts'

/** Holds the application of this server at a provider. */
export interface ProviderApplication {
  /** By the names of the descriptor's fields. Example: `{ clientId, clientSecret }`. */
  readonly values: Readonly<Record<string, string>>
  /** Holds what the provider signs webhooks with: two while one is being replaced. Empty: webhooks are refused. */
  readonly webhookSecrets: readonly string[]
}

/** Holds what reaches one provider. */
export interface ProviderContext {
  /** By the names of the descriptor's addresses. Example: `{ web: 'https://chat.example.com' }`. */
  readonly addresses: Readonly<Record<string, string>>
  /** Asked each time: an application may be registered while the service runs. */
  readonly application: () => ProviderApplication | undefined
  readonly egress: Pick<Egress, 'fetch' | 'request'>
  readonly now: () => Date
}

/** Returns what reaches a provider, by its name. */
export type ContextOf = (provider: string) => ProviderContext

/**
 * Returns one value of a record that the descriptor has promised: an address, a field.
 *
 * @throws {Error} when the descriptor does not name it.
 */
export function valueOf(values: Readonly<Record<string, string>>, name: string): string {
  const value = values[name]
  if (value === undefined) throw new Error(`The descriptor of the provider has no ${name}`)
  return value
}
