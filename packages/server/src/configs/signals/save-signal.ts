import { isDeepStrictEqual } from 'node:util'
import { limits, Problem } from '@signalbox/contract'
import type { SignalSpec } from '@signalbox/contract/rest'
import { makerOf } from '../../audit/author.ts'
import { newId } from '../../crypto/ids.ts'
import { newOpaqueToken, type OpaqueToken } from '../../crypto/opaque-tokens.ts'
import { requireVersion } from '../../http/admission/preconditions.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import { requireProtection } from '../../config-model/approval-check.ts'
import { requireReach, wildcardId, type Caller } from '../../config-model/caller.ts'
import { toPolicies, type Confirmation } from '../../config-model/confirmation.ts'
import { wholeEnvironment, type Effect } from '../../config-model/effects.ts'
import { commit, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import { lockStructure } from '../values/current-rows.ts'
import { openCredential, sealCredential } from './credential.ts'
import { describeSpec } from './describe-spec.ts'
import {
  changeCredential,
  hasSecret,
  refuse,
  requireReadable,
  requireCapacity,
  requireSameKind,
  type SentCredentials,
} from './signal-rules.ts'
import {
  deleteSignalRow,
  findSignalRow,
  pageSignalRows,
  saveSignalRow,
  type UsedSignalRow,
} from './signal-rows.ts'
import type { SignalRow } from './signal.ts'

/** Describes a signal as a request gives it. */
export interface SignalFields extends SentCredentials {
  readonly name: string
  readonly spec: SignalSpec
}

/** Describes a signal after a write, with the secret of its address at the one moment when it is known. */
export interface SavedSignal {
  readonly row: UsedSignalRow
  readonly secret: string | null
}

/**
 * Creates a signal.
 *
 * @throws {Problem} `validation_failed`, `already_exists`, `quota_exceeded`
 */
export async function createSignal(
  deps: ConfigDeps,
  caller: Caller,
  { name, spec, ...sent }: SignalFields,
): Promise<SavedSignal> {
  requireManager(caller)
  requireReadable(deps.egress, spec)
  const credential = changeCredential(spec, {}, sent)
  return commit(deps, caller, async (tx) => {
    const { orgId } = caller
    const now = deps.now()
    const id = newId('sig', now)
    await lockStructure(tx, orgId)
    requireCapacity(await listAll(tx, orgId), { id, name })
    const sealer = await deps.keys.getSealer(tx, orgId)
    const opaque = hasSecret(spec) ? newOpaqueToken() : undefined
    const row: UsedSignalRow = {
      id,
      name,
      spec,
      sealed: sealCredential(sealer, orgId, { id, credential }),
      secretHash: opaque?.hash ?? null,
      firing: {},
      heardAt: null,
      last: null,
      revision: 1,
      createdAt: now,
      updatedAt: now,
      createdBy: makerOf(caller),
      usedBy: [],
    }
    await saveSignalRow(tx, orgId, row)
    record(tx, caller, 'signal.created', { row })
    return { row, secret: opaque?.token ?? null }
  })
}

/** Describes a change of a signal; what it leaves out stays as it is. */
export interface UpdateSignal extends SentCredentials {
  readonly name?: string | undefined
  readonly spec?: SignalSpec | undefined
  readonly newSecret?: boolean | undefined
  readonly confirmation: Confirmation
  /** The revision that the caller has seen. */
  readonly ifMatch: number | undefined
}

/**
 * Changes a signal. Where the policy of an environment names it, another spec or credential is a change of that environment: a
 * signal that says less watches its changes less.
 *
 * @throws {Problem} `not_found`, `revision_mismatch`, `validation_failed`, `already_exists`, `confirmation_required`,
 * `comment_required`, `approval_required`
 */
export async function updateSignal(
  deps: ConfigDeps,
  caller: Caller,
  id: string,
  { ifMatch, confirmation, ...change }: UpdateSignal,
): Promise<SavedSignal> {
  requireManager(caller)
  return commit(deps, caller, async (tx) => {
    const { orgId } = caller
    await lockStructure(tx, orgId)
    const before = await findSignalRow(tx, orgId, id)
    if (before === undefined) throw notFound()
    requireVersion(before.revision, ifMatch)
    const { row, secret, fields } = await apply(deps, tx, orgId, { before, change })
    if (fields.length === 0) return { row: before, secret }
    if (fields.includes('name')) requireCapacity(await listAll(tx, orgId), row)
    await saveSignalRow(tx, orgId, row)
    await requireNamed(deps, tx, caller, { before, row, fields, confirmation })
    const { comment } = confirmation
    const detail = { fields, ...(comment !== undefined && { comment }) }
    record(tx, caller, 'signal.updated', { row, detail })
    return { row, secret }
  })
}

interface Change {
  readonly before: UsedSignalRow
  readonly change: Omit<UpdateSignal, 'ifMatch' | 'confirmation'>
}

async function apply(
  { egress, keys, now, approvalCheck }: ConfigDeps,
  tx: Tx,
  orgId: string,
  { before, change }: Change,
) {
  const { id } = before
  const { name = before.name, spec = before.spec } = change
  requireSameKind(before, spec, change)
  const opaque = change.newSecret === true ? renewSecret(spec, approvalCheck) : undefined
  const sealer = await keys.getSealer(tx, orgId)
  const was = openCredential(sealer, orgId, before)
  const credential = changeCredential(spec, was, change)
  const isOther = {
    name: name !== before.name,
    spec: !isDeepStrictEqual(spec, before.spec),
    credential: !isDeepStrictEqual(credential, was),
    secret: opaque !== undefined,
  }
  // An address that the operator has stopped allowing doesn't keep anybody from renaming its signal.
  if (isOther.spec) requireReadable(egress, spec)
  const fields = Object.entries(isOther).flatMap(([field, isChanged]) => (isChanged ? field : []))
  const row: UsedSignalRow = {
    ...before,
    name,
    spec,
    ...(isOther.credential && { sealed: sealCredential(sealer, orgId, { id, credential }) }),
    ...(opaque !== undefined && { secretHash: opaque.hash }),
    // The earlier sender may be heard no more, and silence is no good news.
    ...(fields.some((field) => field !== 'name') && { firing: {}, heardAt: null, last: null }),
    revision: before.revision + 1,
    updatedAt: now(),
  }
  return { row, fields, secret: opaque?.token ?? null }
}

/** @throws {Problem} `validation_failed` */
function renewSecret(spec: SignalSpec, { isOfRequest }: ConfigDeps['approvalCheck']): OpaqueToken {
  if (!hasSecret(spec))
    throw refuse('/newSecret', 'Only an address for alerts, other than of Sentry, has a secret.')
  if (isOfRequest)
    throw refuse('/newSecret', 'Change the secret without a request: nobody would see it here.')
  return newOpaqueToken()
}

interface Named {
  readonly before: UsedSignalRow
  readonly row: UsedSignalRow
  readonly fields: readonly string[]
  readonly confirmation: Confirmation
}

/** Requires what the environments ask of a change whose policies name the signal. */
async function requireNamed(
  deps: ConfigDeps,
  tx: Tx,
  { orgId }: Caller,
  { before, row, fields, confirmation }: Named,
): Promise<void> {
  if (!fields.includes('spec') && !fields.includes('credential')) return
  const environmentIds = before.usedBy.map(({ environmentId }) => environmentId)
  const policies = toPolicies(await listEnvironmentRows(tx, orgId))
  const named = environmentIds.flatMap((environmentId) => policies.get(environmentId) ?? [])
  // A request is no way around the session that this needs: without approvals, nobody else would look at it.
  if (deps.approvalCheck.isOfRequest && !named.some((each) => each.protection.approvals > 0)) {
    const detail = `No environment that needs approvals names ${row.name}. Change it without a request.`
    throw new Problem('conflict', detail)
  }
  const effects = named.map((environment): Effect => ({
    ...wholeEnvironment(environment),
    before: toSide(before, ''),
    after: toSide(row, fields.includes('credential') ? ', with another credential' : ''),
  }))
  requireProtection(deps, { policies, environmentIds, confirmation, effects })
}

function toSide({ id, name, spec }: SignalRow, more: string) {
  return { signal: { id, name, spec: `${describeSpec(spec)}${more}` } }
}

/**
 * Deletes a signal that no policy names. The lock keeps a policy from naming it meanwhile.
 *
 * @throws {Problem} `not_found`, `revision_mismatch`, `signal_in_use` with the environments
 */
export async function deleteSignal(
  deps: ConfigDeps,
  caller: Caller,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: number | undefined },
): Promise<void> {
  requireManager(caller)
  await commit(deps, caller, async (tx) => {
    const { orgId } = caller
    await lockStructure(tx, orgId)
    const row = await findSignalRow(tx, orgId, id)
    if (row === undefined) throw notFound()
    requireVersion(row.revision, ifMatch)
    if (row.usedBy.length > 0) {
      const names = row.usedBy.map(({ environment }) => environment).join(', ')
      const detail = `The protection of ${names} names this signal. Remove it there, then delete it.`
      throw new Problem('signal_in_use', detail, { extensions: { environments: row.usedBy } })
    }
    await deleteSignalRow(tx, orgId, id)
    record(tx, caller, 'signal.deleted', { row })
  })
}

/** Refuses who doesn't manage the organization. A request comes here without the declaration of the endpoint. */
function requireManager(caller: Caller): void {
  const everything = { environmentId: wildcardId, schemaId: wildcardId }
  requireReach(caller, 'manageAccess', everything)
  if (caller.author.type !== 'api_key') return
  const detail = 'An API key does not change signals. Use a personal access token of an admin.'
  throw new Problem('key_kind_forbidden', detail)
}

function listAll(tx: Tx, orgId: string): Promise<UsedSignalRow[]> {
  return pageSignalRows(tx, orgId, { after: '', limit: limits.signalsPerOrganization })
}

interface RecordedSignal {
  readonly row: SignalRow
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Records what happened to a signal: its kind, and never where it reads. */
export function record(
  tx: Tx,
  caller: Caller,
  action: 'signal.created' | 'signal.updated' | 'signal.deleted' | 'signal.tested',
  { row: { id, name, spec }, detail = {} }: RecordedSignal,
): void {
  recordConfigEvent(tx, caller, {
    action,
    target: { type: 'signal', id, name },
    detail: { kind: spec.kind, ...detail },
  })
}
