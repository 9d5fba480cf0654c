import type { AuditAction } from '../../audit/audit-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { describeUnknown, requireKnownIds, type NamedId } from '../../http/input/known-ids.ts'
import type { Tx } from '../../store/store.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import { may } from '@signalbox/contract'
import { requireInheriting, type Caller } from '../../config-model/caller.ts'
import { recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import {
  listPersonRequired,
  refuseForAgent,
  type Confirmation,
  type Requirement,
} from '../../config-model/confirmation.ts'
import { descendantsOf } from '../../config-model/environment-tree.ts'
import {
  planPublication,
  type Publication,
  type VersionKind,
  type VersionRecord,
} from '../../config-model/plan-publication.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import { publish } from '../publication/publish-rows.ts'
import { changedEnvironments, listNeeds } from '../../config-model/approvals.ts'
import { getCurrentValues, type CurrentValues } from '../../config-model/current-values.ts'
import { findPlainCredentials } from '../../config-model/constraints/plain-credentials.ts'
import { editValues, type ValueEdit } from '../../config-model/edit-values.ts'
import { lockState, type LockedState, type StateOf } from './current-rows.ts'
import type { KnownSegments } from '../../config-model/known-segments.ts'
import { readSegments } from '../segments/read-known-segments.ts'
import { namesOf } from '../../config-model/segment-texts.ts'
import type { ConfigState, PublishableState } from '../../config-model/resolve-values.ts'
import { sealSecrets } from '../../config-model/sealed-secrets.ts'
import type { ValueChange } from '../../config-model/value-changes.ts'

/** Holds what a write of values works on; locked until the transaction ends. */
export interface WriteContext extends LockedState {
  readonly state: PublishableState
  readonly segments: KnownSegments
  readonly sealer: Sealer
  readonly isChatConnected: boolean
}

/**
 * Locks and reads what a write of values works on.
 *
 * @throws {Problem} `validation_failed` for each of the `named` environments that is not there, `not_found`, `sealed`
 */
export async function lockForWrite(
  { keys, schemas, isChatConnected }: ConfigDeps,
  tx: Tx,
  of: StateOf,
  named: readonly NamedId[] = [],
): Promise<WriteContext> {
  const [sealer, locked, connected] = await Promise.all([
    keys.getSealer(tx, of.orgId),
    lockState(tx, schemas, of),
    isChatConnected(tx, of.orgId),
  ])
  if (locked === undefined) {
    const known = new Set((await listEnvironmentRows(tx, of.orgId)).map(({ id }) => id))
    requireKnownIds({ named, known, detail: describeUnknown('environment') })
    throw notFound()
  }
  const segments = await readSegments(tx, of.orgId, namesOf(locked.state.currentValues.values()))
  const state = { ...locked.state, segments: segments.groups }
  return { ...locked, state, segments, sealer, isChatConnected: connected }
}

/** Describes edits of values, and the versions that they make. */
export interface ChangeValues extends WriteContext {
  /** The edit of each environment. */
  readonly edits: ReadonlyMap<string, ValueEdit>
  readonly kind: VersionKind
  readonly action: AuditAction
  /** The comment of the versions: that of the confirmation unless the use case has one of its own. */
  readonly comment: string | undefined
  readonly confirmation: Confirmation
  readonly dryRun: boolean
  /** Further audit detail of an environment. Never a value. */
  readonly detailOf?: (environmentId: string) => Readonly<Record<string, unknown>>
}

/** Describes what a write changed in one environment. */
export interface ChangedEnvironment {
  readonly environmentId: string
  readonly changes: readonly ValueChange[]
  /** `undefined` when nothing was stored: nothing changed, or it was a dry run. */
  readonly version: VersionRecord | undefined
}

/** Describes what a write changed in all environments, or what a dry run would change. */
export interface ChangedValues {
  /** The state after the write, with the versions it has then. */
  readonly state: ConfigState
  readonly sealer: Sealer
  /** Those that were edited, in the order of their edits, then those that inherit from them and look different. */
  readonly environments: readonly ChangedEnvironment[]
  /** The requirements of the changed environments, whether or not the request meets them. */
  readonly requires: readonly Requirement[]
  /** The names of the environments for which an assistant is refused. */
  readonly personRequired: readonly string[]
}

/**
 * Applies edits of checked values to environments, all or none: a version and an audit event for each, the versions and
 * snapshots of all that inherit from them. An edit that changes nothing stores nothing, unless it restores: a restore
 * is always a version. A dry run stores nothing; it is refused with whatever the write is refused with, except a
 * missing confirmation.
 *
 * @throws {Problem} `value_too_large`, `too_many_rules`, `confirmation_required`, `comment_required`, `person_required`
 */
export async function changeValues(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  write: ChangeValues,
): Promise<ChangedValues> {
  const { state, sealer, policies, edits } = write
  const now = deps.now()
  const { orgId, author } = caller
  const edited = applyEdits({ caller, now }, write)
  const after = { ...state, currentValues: new Map([...state.currentValues, ...edited]) }
  const below = [...edited.keys()].flatMap((id) => descendantsOf(state.tree, id))
  const publication = planPublication({
    orgId,
    before: state,
    after,
    environmentIds: [...new Set([...edited.keys(), ...below.map(({ id }) => id)])],
    kinds: new Map([...edited.keys()].map((id) => [id, write.kind])),
    otherwise: 'inherited',
    sealer,
    signer: deps.publisherKeys.signer(),
    author,
    comment: write.comment,
    now,
  })
  const changedIds = changedEnvironments(publication)
  const requires = listNeeds(policies, publication)
  const reached = [...edited.keys(), ...below.map(({ id }) => id)]
  const personRequired = listPersonRequired(policies, reached)
  const outcome = { state: after, sealer, requires, personRequired }
  const environments = listChanged(edits, publication)
  for (const environmentId of changedIds)
    requireInheriting(caller, { schemaId: state.schema.id, environmentId })
  const plain = listPlain(state, edits)
  if (edited.size === 0) return { ...outcome, environments }
  if (write.dryRun) return { ...outcome, environments: environments.map(withoutVersion) }
  if (caller.isAgent && !deps.approvalCheck.isOfRequest) refuseForAgent(personRequired)
  await publish(deps, tx, orgId, { ...write, publication })
  for (const changed of environments) {
    if (edited.has(changed.environmentId))
      recordWrite(tx, caller, write, { ...changed, plain: plain.get(changed.environmentId) ?? [] })
  }
  return { ...outcome, state: withVersions(after, publication), environments }
}

/** Returns the values of the environments that are different after their edits. A restore counts as different. */
function applyEdits(
  { caller, now }: { readonly caller: Caller; readonly now: Date },
  { state, sealer, edits, kind }: ChangeValues,
): Map<string, CurrentValues> {
  const { id: schemaId, definition } = state.schema
  const { orgId, author, permissions } = caller
  const edited = new Map<string, CurrentValues>()
  for (const [environmentId, edit] of edits) {
    const current = getCurrentValues(state, environmentId)
    // Keeps somebody who may not read a secret from finding out by a write whether it is the same.
    const isCompared = may(permissions, 'readSecrets', { schemaId, environmentId })
    const secrets = { sealer, orgId, schemaId, definition, isCompared }
    const sealed = sealSecrets(secrets, current, edit.set)
    const after = editValues({ definition, sealed, author, now }, current, edit)
    if (after !== current || kind === 'restore') edited.set(environmentId, after)
  }
  return edited
}

/** Lists the keys whose open values have the form of a credential, which the request allows or a restore brings back. */
function listPlain(
  state: ConfigState,
  edits: ChangeValues['edits'],
): ReadonlyMap<string, readonly string[]> {
  const { definition } = state.schema
  return new Map(
    [...edits].map(([environmentId, edit]) => {
      const current = getCurrentValues(state, environmentId)
      return [environmentId, [...findPlainCredentials(definition, current, edit).keys()]]
    }),
  )
}

function listChanged(
  edits: ReadonlyMap<string, ValueEdit>,
  { versions }: Publication,
): ChangedEnvironment[] {
  const byEnvironment = new Map(versions.map((version) => [version.environmentId, version]))
  return [...new Set([...edits.keys(), ...byEnvironment.keys()])].map((environmentId) => {
    const version = byEnvironment.get(environmentId)
    return { environmentId, changes: version?.changes ?? [], version }
  })
}

function withoutVersion(changed: ChangedEnvironment): ChangedEnvironment {
  return { ...changed, version: undefined }
}

function withVersions(state: ConfigState, { currentValues }: Publication): ConfigState {
  const stored = new Map(state.currentValues)
  for (const { environmentId, version, browserVersion } of currentValues) {
    const current = stored.get(environmentId)
    if (current !== undefined) stored.set(environmentId, { ...current, version, browserVersion })
  }
  return { ...state, currentValues: stored }
}

function recordWrite(
  tx: Tx,
  caller: Caller,
  { state, action, detailOf }: ChangeValues,
  {
    environmentId,
    changes,
    version,
    plain,
  }: ChangedEnvironment & { readonly plain: readonly string[] },
): void {
  const { id, name } = state.schema
  recordConfigEvent(tx, caller, {
    action,
    target: { type: 'config_values', id, name },
    detail: {
      environmentId,
      version: version?.version,
      keys: changes.map(({ key }) => key),
      ...(plain.length > 0 && { allowPlain: plain }),
      ...detailOf?.(environmentId),
    },
  })
}

/** Describes an edit of one environment, and the version that it makes. */
export interface WriteValues extends Omit<ChangeValues, 'edits' | 'detailOf' | 'comment'> {
  readonly environmentId: string
  readonly edit: ValueEdit
  /** Further audit detail. Never a value. */
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Describes what a write changed in its environment, and the state after it. */
export interface WrittenValues
  extends ChangedEnvironment, Pick<ChangedValues, 'state' | 'sealer' | 'requires'> {}

/**
 * Applies an edit of checked values to one environment.
 *
 * @throws {Problem} what `changeValues` throws
 */
export async function writeValues(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  { environmentId, edit, detail = {}, ...write }: WriteValues,
): Promise<WrittenValues> {
  const { state, sealer, environments, requires } = await changeValues(deps, tx, caller, {
    ...write,
    edits: new Map([[environmentId, edit]]),
    comment: write.confirmation.comment,
    detailOf: () => detail,
  })
  const [first] = environments
  return { environmentId, changes: [], version: undefined, ...first, state, sealer, requires }
}
