import type { Emit } from '../jobs/emit.ts'
import type { Store, Tx } from '../store/store.ts'
import type { OrganizationKeys } from '../vault/organization-keys.ts'
import type { AuditEvent } from '../audit/audit-event.ts'
import { recordAuditEvent } from '../audit/record-event.ts'
import type { Caller } from './caller.ts'
import type { SchemaCache } from './schemas/schema-cache.ts'

/** What the use cases of configuration work with. */
export interface ConfigDeps {
  readonly store: Pick<Store, 'transaction' | 'announce'>
  readonly keys: Pick<OrganizationKeys, 'getSealer'>
  readonly schemas: SchemaCache
  /**
   * Called with each version that is written in an environment of production while a chat is connected, and with each
   * organization in which an environment is made, renamed or deleted.
   */
  readonly emit: Emit<'configuration.changed' | 'environments.changed'>
  /** Returns whether anybody would read of a new version in a chat. */
  readonly isChatConnected: (tx: Tx, orgId: string) => Promise<boolean>
  readonly now: () => Date
}

/** Runs a write and tells every node after its commit. */
export async function commit<T>(
  { store }: ConfigDeps,
  caller: Caller,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const result = await store.transaction(caller.scope, work)
  store.announce('snapshots')
  return result
}

/** Says that other environments are there than before, or that they are called otherwise. */
export async function emitEnvironments(
  { emit }: Pick<ConfigDeps, 'emit'>,
  tx: Tx,
  orgId: string,
): Promise<void> {
  await emit(tx, 'environments.changed', { orgId, id: orgId })
}

/** Records what the caller did, with the commit. */
export function recordConfigEvent(
  tx: Tx,
  { orgId, author, request }: Caller,
  event: Pick<AuditEvent, 'action' | 'target' | 'detail'>,
): void {
  recordAuditEvent(tx, { orgId, actor: author, request, ...event })
}
