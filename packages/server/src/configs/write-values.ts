import { Problem, type ProblemCode, type ProblemPlace } from '@signalbox/contract'
import type { AuditAction } from '../audit/audit-event.ts'
import { notFound } from '../http/problem-response.ts'
import type { Tx } from '../store/store.ts'
import type { Sealer } from '../vault/organization-keys.ts'
import type { Caller } from './caller.ts'
import { recordConfigEvent, type ConfigDeps } from './config-deps.ts'
import type { ConfigHead } from './config-head.ts'
import { editHead, type ValueEdit } from './edit-head.ts'
import { descendantsOf } from './environment-tree.ts'
import { lockState, type StateOf } from './head-rows.ts'
import { planPublication, type VersionKind, type VersionRecord } from './plan-publication.ts'
import { publish } from './publish.ts'
import type { ConfigState } from './resolve-values.ts'
import type { ValueChange } from './value-changes.ts'
import { listWatchedEnvironments } from './watched-rows.ts'

/** What a write of values works on; locked until the transaction ends. */
export interface OpenedState {
  readonly state: ConfigState
  readonly sealer: Sealer
  /** The environments in which a new version is told of. */
  readonly watched: ReadonlySet<string>
}

/** @throws {Problem} `not_found`, `sealed` */
export async function openState(
  { keys, schemas }: ConfigDeps,
  tx: Tx,
  of: StateOf,
): Promise<OpenedState> {
  const [sealer, state, watched] = await Promise.all([
    keys.getSealer(tx, of.orgId),
    lockState(tx, schemas, of),
    listWatchedEnvironments(tx, of.orgId),
  ])
  if (state === undefined) throw notFound()
  return { state, sealer, watched }
}

/** The head of an environment whose state was found. */
export function headOf({ heads }: ConfigState, environmentId: string): ConfigHead {
  const head = heads.get(environmentId)
  if (head === undefined) throw notFound()
  return head
}

/** @throws {Problem} `revision_mismatch` when the caller has seen another version. */
export function requireVersion(current: number, ifMatch: number | undefined): void {
  if (ifMatch === undefined || ifMatch === current) return
  const detail = `It is at version ${current}, not ${ifMatch}. Read it again, then repeat the change.`
  throw new Problem('revision_mismatch', detail)
}

/** One problem for all faults. Its code is theirs when they have the same one. */
export function refuseFaults(faults: readonly ProblemPlace[]): Problem {
  const codes = new Set(faults.map(({ code }) => code))
  const [only] = codes
  const code: ProblemCode = only !== undefined && codes.size === 1 ? only : 'validation_failed'
  const [first] = faults
  const detail =
    faults.length === 1 && first !== undefined
      ? `${first.pointer}: ${first.detail}`
      : `${faults.length} places are wrong and nothing was stored. See errors.`
  return new Problem(code, detail, { errors: faults })
}

export interface WriteValues extends OpenedState {
  readonly environmentId: string
  readonly edit: ValueEdit
  readonly kind: VersionKind
  readonly action: AuditAction
  readonly comment: string | undefined
  readonly dryRun: boolean
  /** Further audit detail. Never a value. */
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface WrittenValues {
  /** The state after the write, with the versions it has then. */
  readonly state: ConfigState
  readonly environmentId: string
  readonly sealer: Sealer
  readonly changes: readonly ValueChange[]
  /** `undefined` when nothing was stored: because nothing changed, or because it was not meant. */
  readonly version: VersionRecord | undefined
}

/**
 * Applies an edit of checked values to an environment: its version, the versions and snapshots of all that inherit
 * from it, and the audit event. An edit that changes nothing stores nothing, unless it restores: that somebody did is
 * a version too. A dry run is refused with whatever the write would be refused with, and stores nothing.
 *
 * @throws {Problem} `value_too_large`
 */
export async function writeValues(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  write: WriteValues,
): Promise<WrittenValues> {
  const { state, sealer, environmentId } = write
  const now = deps.now()
  const { orgId, author } = caller
  const { id: schemaId, definition } = state.schema
  const head = headOf(state, environmentId)
  const edited = editHead({ orgId, schemaId, definition, sealer, author, now }, head, write.edit)
  const after = { ...state, heads: new Map(state.heads).set(environmentId, edited) }
  const looked = { state: after, environmentId, sealer, version: undefined }
  if (edited === head && write.kind !== 'restore') return { ...looked, changes: [] }
  const below = descendantsOf(state.tree, environmentId).map(({ id }) => id)
  const publication = planPublication({
    orgId,
    before: state,
    after,
    environmentIds: [environmentId, ...below],
    kindOf: (id) => (id === environmentId ? write.kind : undefined),
    otherwise: 'inherited',
    sealer,
    author,
    comment: write.comment,
    now,
  })
  const version = publication.versions.find((record) => record.environmentId === environmentId)
  const changes = version?.changes ?? []
  if (write.dryRun) return { ...looked, changes }
  const [record] = publication.heads
  await publish(deps, tx, orgId, { publication, watched: write.watched })
  recordConfigEvent(tx, caller, {
    action: write.action,
    target: { type: 'config_values', id: schemaId, name: state.schema.name },
    detail: {
      environmentId,
      version: version?.version,
      keys: changes.map(({ key }) => key),
      ...write.detail,
    },
  })
  const stored = { ...edited, version: record?.version ?? head.version }
  const written = { ...state, heads: new Map(state.heads).set(environmentId, stored) }
  return { state: written, environmentId, sealer, changes, version }
}
