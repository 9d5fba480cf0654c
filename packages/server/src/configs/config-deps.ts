import type { Emit } from '../jobs/emit.ts'
import type { Store, Tx } from '../store/store.ts'
import type { OrganizationKeys } from '../vault/organization-keys.ts'
import type { AuditEvent } from '../audit/audit-event.ts'
import { recordAuditEvent } from '../audit/record-event.ts'
import type { Caller } from './caller.ts'
import type { SchemaCache } from './schema-cache.ts'

/** What the use cases of configuration work with. */
export interface ConfigDeps {
  readonly store: Pick<Store, 'transaction' | 'announce'>
  readonly keys: Pick<OrganizationKeys, 'getSealer'>
  readonly schemas: SchemaCache
  /** Told of each version that is written in an environment of production while a chat is connected. */
  readonly emit: Emit<'configuration.changed'>
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

/** Records what the caller did, with the commit. */
export function recordConfigEvent(
  tx: Tx,
  { orgId, author, request }: Caller,
  event: Pick<AuditEvent, 'action' | 'target' | 'detail'>,
): void {
  recordAuditEvent(tx, { orgId, actor: author, request, ...event })
}
