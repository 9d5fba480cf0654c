import { z } from 'zod'
import type { Store, Tx } from '../../store/store.ts'
import type { OrganizationKeys } from '../../vault/organization-keys.ts'
import {
  findConnectedRow,
  findWebhookRow,
  putWebhookRow,
  type ConnectionRef,
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
  readonly store: Pick<Store, 'maintenance' | 'transaction'>
  readonly keys: Pick<OrganizationKeys, 'getSealer'>
}

const idPattern = /^int_[0-9A-Za-z]{1,40}$/
const stored = z.array(z.string())

function contextOf({ orgId, integrationId }: ConnectionRef): string {
  return `${orgId}|integration_webhooks|${integrationId}|secrets`
}

/** Finds the connection of an id with its secrets; `undefined` when it is not in use, or takes no webhooks. */
export async function findWebhookConnection(
  { store, keys }: WebhookSecretsDeps,
  provider: string,
  integrationId: string,
): Promise<WebhookConnection | undefined> {
  if (!idPattern.test(integrationId)) return undefined
  const connection = await store.maintenance((tx) => findConnectedRow(tx, provider, integrationId))
  if (connection === undefined) return undefined
  const read = await store.transaction({ orgId: connection.orgId }, (tx) =>
    readConnectionHooks({ keys }, tx, connection),
  )
  return read && { ...connection, secrets: read.secrets }
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

/** Stores the secrets and the webhooks of a connection. */
export async function keepConnectionHooks(
  { keys }: Pick<WebhookSecretsDeps, 'keys'>,
  tx: Tx,
  { secrets, hooks, now, ...ref }: ConnectionRef & ConnectionHooks & { readonly now: Date },
): Promise<void> {
  const sealer = await keys.getSealer(tx, ref.orgId)
  const sealed = sealer.seal(contextOf(ref), JSON.stringify(secrets))
  await putWebhookRow(tx, { ...ref, sealed, hooks }, now)
}
