import type { IntegrationKind } from '@signalbox/contract/rest'
import type { Provider, ProviderWebhooks } from './provider.ts'
import { providers } from './registry.ts'

/** Returns the provider of a name; `undefined` when this version has none. */
export function findProvider(name: string): Provider | undefined {
  return providers.find((provider) => provider.name === name)
}

/** Returns the providers of a kind, in the order of the registry. */
export function providersOfKind<Kind extends IntegrationKind>(
  kind: Kind,
): readonly Extract<Provider, { readonly kind: Kind }>[] {
  return providers.filter(
    (provider): provider is Extract<Provider, { readonly kind: Kind }> => provider.kind === kind,
  )
}

/** Returns a provider's name as people write it; of one that this version does not have, the name that is stored. */
export function displayNameOf(name: string): string {
  return findProvider(name)?.displayName ?? name
}

const kindNames: Readonly<Record<IntegrationKind, string>> = {
  codehost: 'the code host',
  tracker: 'the issue tracker',
  chat: 'the chat',
}

/** Returns what the provider of a kind is called where this version has only one, or else the kind. Example: `the chat`. */
export function displayNameOfKind(kind: IntegrationKind): string {
  const [only, ...others] = providersOfKind(kind)
  return only !== undefined && others.length === 0 ? only.displayName : kindNames[kind]
}

/** Describes a provider that sends webhooks. */
export type WebhookProvider = Provider & { readonly webhooks: ProviderWebhooks<unknown> }

/**
 * Returns whose webhooks come to `/webhooks/<address>`: the provider of that name, or the first of that kind that sends any.
 * `undefined` when nobody sends there.
 */
export function findWebhookProvider(address: string): WebhookProvider | undefined {
  const senders = providers.filter(sendsWebhooks)
  return (
    senders.find(({ name }) => name === address) ?? senders.find(({ kind }) => kind === address)
  )
}

/** Tells providers that send webhooks from the others. */
export function sendsWebhooks(provider: Provider): provider is WebhookProvider {
  return provider.webhooks !== undefined
}

/** Returns where a provider is to send its webhooks; `undefined` when it sends none. */
export function webhookUrl(provider: Provider, publicUrl: string): string | undefined {
  const { name, kind, webhooks } = provider
  if (webhooks === undefined) return undefined
  const address = findWebhookProvider(kind)?.name === name ? kind : name
  return `${webhooks.toOrigin?.(publicUrl) ?? publicUrl}/webhooks/${address}`
}
