import {
  systemAuthor,
  type Author,
  type AuditAction,
  type AuditRequest,
} from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import type { Tx } from '../../store/store.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { findEnvironmentRow } from '../environments/environment-rows.ts'
import { findSchemaRow } from '../schemas/schema-rows.ts'
import { updateProofs } from './proof-rows.ts'
import { concludeProof, type Ending, type ProofRow } from './proof.ts'

/** Ends a proof in a map of those that are watched, with what becomes of the others. */
export function endProof(
  proofs: Map<string, ProofRow>,
  proof: ProofRow,
  ending: Ending,
  now: Date,
): void {
  const watching = [...proofs.values()].filter(({ state }) => state === 'watching')
  for (const each of concludeProof(watching, proof, ending, now)) proofs.set(each.id, each)
}

interface StoreProofs {
  /** Holds the locked proofs as they were. */
  readonly stored: readonly ProofRow[]
  readonly proofs: ReadonlyMap<string, ProofRow>
  /** Names who ended a proof. Left out: Signalbox itself. */
  readonly by?: { readonly actor: Author; readonly request: AuditRequest }
}

/** Stores proofs that changed, records how those that ended did, and starts the tests again of those that go on. */
export async function storeProofs(
  { emit }: Pick<ConfigDeps, 'emit'>,
  tx: Tx,
  orgId: string,
  { stored, proofs, by = { actor: systemAuthor, request: noRequest } }: StoreProofs,
): Promise<void> {
  const pairs = stored.map((was) => ({ was, is: proofs.get(was.id) ?? was }))
  const changed = pairs.filter(({ was, is }) => is !== was)
  await updateProofs(
    tx,
    orgId,
    changed.map(({ is }) => is),
  )
  for (const { was, is } of changed) {
    const { id } = is
    if (is.state !== 'watching')
      recordAuditEvent(tx, { orgId, ...by, ...describeEnd(is, await nameOf(tx, orgId, is)) })
    if (is.state !== was.state || is.waitsFor !== was.waitsFor)
      await emit(tx, 'proof.changed', { orgId, id })
    if (is.state === 'watching' && is.fence > was.fence)
      await emit(tx, 'proof.begun', { orgId, id })
  }
}

/** Names the version of a proof for people. Example: `version 14 of web in production`. */
async function nameOf(
  tx: Tx,
  orgId: string,
  { schemaId, environmentId, version }: ProofRow,
): Promise<string> {
  const environment = await findEnvironmentRow(tx, orgId, environmentId)
  const schema = await findSchemaRow(tx, orgId, schemaId)
  return `version ${version} of ${schema?.name ?? ''} in ${environment?.name ?? ''}`
}

function describeEnd(proof: ProofRow, name: string) {
  const { id, environmentId, schemaId, version, reason, restored, notRestored } = proof
  return {
    action: actionOf(proof),
    target: { type: 'proof', id, name },
    detail: {
      environmentId,
      schemaId,
      version,
      reason: reason?.code ?? null,
      restored: (restored ?? []).map(({ versionId }) => versionId),
      notRestored: notRestored?.code ?? null,
    },
  }
}

const noRequest: AuditRequest = { requestId: '', ip: '', userAgent: undefined }

function actionOf({ state, stopped, restored }: ProofRow): AuditAction {
  if (stopped !== null) return 'proof.stopped'
  if (state === 'proven') return 'change.proven'
  if (state === 'inconclusive') return 'change.inconclusive'
  return (restored ?? []).length > 0 ? 'change.restored' : 'change.proof_failed'
}
