import type { IntegrationKind } from '@signalbox/contract/rest'
import type { ApplicationRegistration } from './application-registration.ts'
import type { Destination, Provider, ProviderWebhooks } from './provider.ts'
import { furtherInstances, otherDestinations, providers } from './registry.ts'

/** Lists what values can be written to: providers that organizations connect, and others. */
export const destinations: readonly Destination[] = [
  ...providers.filter(
    (provider): provider is Provider & Destination => provider.target !== undefined,
  ),
  ...otherDestinations,
]

/** Lists every provider with its further instances. */
export const allProviders: readonly Provider[] = [...providers, ...furtherInstances]

/** Returns whether a provider is a further instance of another one. */
export function isFurtherInstance(name: string): boolean {
  return furtherInstances.some((instance) => instance.name === name)
}

/** Returns whether it is known where a provider is: a further instance is nowhere until the operator names its address. */
export function isAddressed(
  name: string,
  { addresses }: { readonly addresses: Readonly<Record<string, string>> },
): boolean {
  const named = findProvider(name)?.addresses ?? []
  return named.every((address) => (addresses[address.name] ?? address.default) !== '')
}

/** Lists everything that has an address of its own. */
export const addressed: readonly (Pick<Provider, 'name' | 'addresses'> &
  Partial<Pick<Provider, 'application'>>)[] = [...allProviders, ...otherDestinations]

/** Returns the provider of a name; `undefined` when this version has none. */
export function findProvider(name: string): Provider | undefined {
  return allProviders.find((provider) => provider.name === name)
}

/** Returns the name of the provider whose application a provider uses: its own, unless it shares one. */
export function applicationOwnerOf(name: string): string {
  return sharesWithOf(name) ?? name
}

/** Returns the name of the provider whose connection a provider may share; `undefined`: it has its own. */
export function sharesWithOf(name: string): string | undefined {
  const provider = findProvider(name)
  return provider?.kind === 'tracker' ? provider.shared?.with : undefined
}

/** Finds the tracker that may share the connection of a provider, and gets its webhooks as well. */
export function findSharingTracker(
  name: string,
): Extract<Provider, { readonly kind: 'tracker' }> | undefined {
  return providersOfKind('tracker').find(({ shared }) => shared?.with === name)
}

/** Returns the names of all providers that use the same application as this one, itself included. */
export function providersOfApplication(name: string): readonly string[] {
  const owner = applicationOwnerOf(name)
  const users = allProviders.filter((provider) => applicationOwnerOf(provider.name) === owner)
  return users.length === 0 ? [name] : users.map((provider) => provider.name)
}

/** Returns the kind at whose address a provider sends browsers back: that of the provider whose application it uses. */
export function returnKindOf(name: string): IntegrationKind | undefined {
  return findProvider(applicationOwnerOf(name))?.kind
}

/** Returns the provider of a name that values can be written to; `undefined` when this version has none. */
export function findDestination(name: string): Destination | undefined {
  return destinations.find((destination) => destination.name === name)
}

/** Describes a provider that makes the application of this server by itself. */
export interface RegisteringProvider {
  readonly provider: Provider
  readonly registration: ApplicationRegistration
}

/** Returns the provider of a name, where it makes applications by itself. */
export function findRegisteringProvider(name: string): RegisteringProvider | undefined {
  const provider = findProvider(name)
  const registration = provider?.application.registration
  return provider && registration && { provider, registration }
}

/** Returns the address of the page with the button that registers an application. Example: `/setup/example-app`. */
export function registrationPage({ name }: Pick<Provider, 'name'>): string {
  return `/setup/${name}-app`
}

/** Returns the providers of a kind, in the order of the registry. */
export function providersOfKind<Kind extends IntegrationKind>(
  kind: Kind,
): readonly Extract<Provider, { readonly kind: Kind }>[] {
  return allProviders.filter(
    (provider): provider is Extract<Provider, { readonly kind: Kind }> => provider.kind === kind,
  )
}

/** Returns a provider's name as people write it; of one that this version does not have, the name that is stored. */
export function displayNameOf(name: string): string {
  return (findProvider(name) ?? findDestination(name))?.displayName ?? name
}

const kindNames: Readonly<Record<IntegrationKind, string>> = {
  codehost: 'the code host',
  tracker: 'the issue tracker',
  chat: 'the chat',
}

const kindTitles: Readonly<Record<IntegrationKind, string>> = {
  codehost: 'Code host',
  tracker: 'Issue tracker',
  chat: 'Chat',
}

const kindChoices: Readonly<Record<IntegrationKind, string>> = {
  codehost: 'a code host',
  tracker: 'an issue tracker',
  chat: 'a chat',
}

/**
 * Returns what the provider of a kind is called in a sentence. `provider`: the one that the organization has connected. Without
 * one, returns the name of the only one of this version, or else the kind. Example: `the chat`.
 */
export function displayNameOfKind(kind: IntegrationKind, provider?: string | null): string {
  if (provider !== null && provider !== undefined) return displayNameOf(provider)
  return findOnlyName(kind) ?? kindNames[kind]
}

/** Returns the same for the beginning of a sentence. Example: `The chat`. */
export function subjectOfKind(kind: IntegrationKind, provider?: string | null): string {
  const name = displayNameOfKind(kind, provider)
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** Returns what an organization may connect that has connected nothing of a kind. Example: `a chat`. */
export function choiceOfKind(kind: IntegrationKind): string {
  return findOnlyName(kind) ?? kindChoices[kind]
}

/** Returns the heading above the choice of a provider. Example: `Chat`. */
export function titleOfKind(kind: IntegrationKind): string {
  return findOnlyName(kind) ?? kindTitles[kind]
}

/** Says that an organization has connected nothing of a kind, as the beginning of a sentence. Example: `No chat`. */
export function absenceOfKind(kind: IntegrationKind): string {
  return `No ${kindTitles[kind].toLowerCase()}`
}

function findOnlyName(kind: IntegrationKind): string | undefined {
  const [only, ...others] = providers.filter((provider) => provider.kind === kind)
  return others.length === 0 ? only?.displayName : undefined
}

/** Describes a provider that sends webhooks. */
export type WebhookProvider = Provider & { readonly webhooks: ProviderWebhooks<unknown> }

/**
 * Returns whose webhooks come to `/webhooks/<address>`: the provider of that name, or the first of that kind that sends any.
 * `undefined` when no provider sends there.
 */
export function findWebhookProvider(address: string): WebhookProvider | undefined {
  const senders = providers
    .filter(sendsWebhooks)
    .filter(({ webhooks }) => webhooks.verifiedBy !== 'connection')
  return (
    senders.find(({ name }) => name === address) ?? senders.find(({ kind }) => kind === address)
  )
}

/** Returns the provider of a name whose webhooks come to an address of each connection. */
export function findConnectionSender(name: string): WebhookProvider | undefined {
  return allProviders
    .filter(sendsWebhooks)
    .find((provider) => provider.name === name && provider.webhooks.verifiedBy === 'connection')
}

/** Returns where a provider sends the webhooks of one connection. */
export function connectionWebhookUrl(
  { name, webhooks }: Pick<Provider, 'name' | 'webhooks'>,
  publicUrl: string,
  integrationId: string,
): string {
  return `${webhooks?.toOrigin?.(publicUrl) ?? publicUrl}/webhooks/${name}/${integrationId}`
}

/** Returns whether a provider sends webhooks. */
export function sendsWebhooks(provider: Provider): provider is WebhookProvider {
  return provider.webhooks !== undefined
}

/** Returns where a provider is to send its webhooks; `undefined` when it sends none. */
export function webhookUrl(provider: Provider, publicUrl: string): string | undefined {
  const { name, kind, webhooks } = provider
  if (webhooks === undefined || webhooks.verifiedBy === 'connection') return undefined
  const address = findWebhookProvider(kind)?.name === name ? kind : name
  return `${webhooks.toOrigin?.(publicUrl) ?? publicUrl}/webhooks/${address}`
}
