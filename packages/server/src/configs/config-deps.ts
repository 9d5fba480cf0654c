import type { Egress } from '../egress/create-egress.ts'
import type { Emit } from '../jobs/emit.ts'
import type { Store, Tx } from '../store/store.ts'
import type { OrganizationKeys } from '../vault/organization-keys.ts'
import type { PublisherKeys } from '../vault/publisher-keys.ts'
import type { AuditEvent } from '../audit/audit-event.ts'
import { recordAuditEvent } from '../audit/record-event.ts'
import type { Caller } from '../config-model/caller.ts'
import type { ApprovalCheck } from '../config-model/approval-check.ts'
import type { PublishedQuota } from './publication/published-quota.ts'
import type { SchemaCache } from './schemas/schema-cache.ts'

/** Holds the dependencies of the use cases of configuration. */
export interface ConfigDeps {
  readonly store: Pick<Store, 'transaction' | 'announce'>
  readonly keys: Pick<OrganizationKeys, 'getSealer'>
  readonly publisherKeys: PublisherKeys
  readonly schemas: SchemaCache
  /**
   * Called with each version that is written in a production environment while a chat is connected, and with each
   * organization in which an environment is created, renamed or deleted, with each change of a request, and with each proof that begins,
   * waits, goes on or ends.
   */
  readonly emit: Emit<
    | 'configuration.changed'
    | 'environments.changed'
    | 'changeRequest.changed'
    | 'proof.begun'
    | 'proof.changed'
  >
  /** Returns whether the organization has a connected chat, in which people read of new versions. */
  readonly isChatConnected: (tx: Tx, orgId: string) => Promise<boolean>
  /** Counts an answer with secrets to an API key. */
  readonly noteSecretRead: (key: { readonly orgId: string; readonly keyId: string }) => void
  readonly quota: PublishedQuota
  /** Reaches addresses that members enter. */
  readonly egress: Pick<Egress, 'request' | 'requireSendable'>
  /** Decides about changes that need approvals. */
  readonly approvalCheck: ApprovalCheck
  readonly now: () => Date
}

/** Runs a write in a transaction of the caller, and announces it to every node after the commit. */
export async function commit<T>(
  { store }: ConfigDeps,
  caller: Caller,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return store.transaction(caller.scope, (tx) => {
    tx.announce('snapshots')
    return work(tx)
  })
}

/** Emits `environments.changed`: an environment of the organization was created, renamed or deleted. */
export async function emitEnvironments(
  { emit }: Pick<ConfigDeps, 'emit'>,
  tx: Tx,
  orgId: string,
): Promise<void> {
  await emit(tx, 'environments.changed', { orgId, id: orgId })
}

/** Records in the audit log what the caller did. The event is stored with the commit. */
export function recordConfigEvent(
  tx: Tx,
  { orgId, author, request }: Caller,
  event: Pick<AuditEvent, 'action' | 'target' | 'detail'>,
): void {
  recordAuditEvent(tx, { orgId, actor: author, request, ...event })
}
