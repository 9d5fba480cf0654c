import { z } from 'zod'
import type { Store, Tx } from '../../store/store.ts'
import type { OrganizationKeys } from '../../vault/organization-keys.ts'
import type { ConnectionHomes } from './connection-homes.ts'
import {
  findConnectedRow,
  findWebhookRow,
  insertWebhookRow,
  saveWebhookRow,
  type ConnectionRef,
  type CheckedHooks,
} from './webhook-rows.ts'

/** Holds a connection whose provider signs with secrets of its own. */
export interface WebhookConnection extends ConnectionRef {
  readonly accountId: string | null
  readonly secrets: readonly string[]
}

/** Holds what a connection has for its webhooks. */
export interface ConnectionHooks {
  readonly secrets: readonly string[]
  readonly hooks: readonly string[]
}

/** Describes what reading the secrets of a connection needs. */
export interface WebhookSecretsDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly keys: Pick<OrganizationKeys, 'getSealer'>
}

/** Describes what finding the connection of a webhook needs. */
export interface FindConnectionDeps extends WebhookSecretsDeps {
  readonly homes: ConnectionHomes
}

const idPattern = /^int_[0-9A-Za-z]{1,40}$/
const stored = z.array(z.string())

function contextOf({ orgId, integrationId }: ConnectionRef): string {
  return `${orgId}|integration_webhooks|${integrationId}|secrets`
}

/** Finds the connection of an id with its secrets; `undefined` when it is not in use, or takes no webhooks. */
export async function findWebhookConnection(
  { store, keys, homes }: FindConnectionDeps,
  provider: string,
  integrationId: string,
): Promise<WebhookConnection | undefined> {
  if (!idPattern.test(integrationId)) return undefined
  const orgId = await homes.find(integrationId)
  if (orgId === undefined) return undefined
  const inUse = await store.transaction({ orgId }, async (tx) => {
    const connection = await findConnectedRow(tx, provider, { orgId, integrationId })
    const read = connection && (await readConnectionHooks({ keys }, tx, connection))
    return connection && read && { ...connection, secrets: read.secrets }
  })
  if (inUse === undefined) homes.forget(integrationId)
  return inUse
}

/** Reads the secrets and the webhooks of a connection. */
export async function readConnectionHooks(
  { keys }: Pick<WebhookSecretsDeps, 'keys'>,
  tx: Tx,
  ref: ConnectionRef,
): Promise<ConnectionHooks | undefined> {
  const row = await findWebhookRow(tx, ref)
  if (row === undefined) return undefined
  const sealer = await keys.getSealer(tx, ref.orgId)
  const secrets = stored.parse(JSON.parse(sealer.open(contextOf(ref), row.sealed).toString('utf8')))
  return { secrets, hooks: row.hooks }
}

/** Stores the first secrets of a connection. */
export async function keepFirstSecrets(
  { keys }: Pick<WebhookSecretsDeps, 'keys'>,
  tx: Tx,
  {
    secrets,
    now,
    ...ref
  }: ConnectionRef & { readonly secrets: readonly string[]; readonly now: Date },
): Promise<void> {
  const sealer = await keys.getSealer(tx, ref.orgId)
  const sealed = sealer.seal(contextOf(ref), JSON.stringify(secrets))
  await insertWebhookRow(tx, { ...ref, sealed }, now)
}

/** Stores the secrets and the webhooks of a connection, unless another caller has the lease. Returns whether it did. */
export async function keepConnectionHooks(
  { keys }: Pick<WebhookSecretsDeps, 'keys'>,
  tx: Tx,
  {
    secrets,
    hooks,
    fence,
    nextCheckAt,
    now,
    ...ref
  }: ConnectionRef &
    ConnectionHooks &
    Pick<CheckedHooks, 'fence' | 'nextCheckAt'> & { readonly now: Date },
): Promise<boolean> {
  const sealer = await keys.getSealer(tx, ref.orgId)
  const sealed = sealer.seal(contextOf(ref), JSON.stringify(secrets))
  return saveWebhookRow(tx, { ...ref, sealed, hooks, fence, nextCheckAt }, now)
}
