import { cutText, Problem, verbs } from '@signalbox/contract'
import { systemAuthor } from '../../audit/audit-event.ts'
import type { Tx } from '../../store/store.ts'
import { approvedFor, type ApprovalCheck } from '../../config-model/approval-check.ts'
import type { Caller } from '../../config-model/caller.ts'
import { getCurrentValues } from '../../config-model/current-values.ts'
import { lockState, type LockedState } from '../values/current-rows.ts'
import { restoreVersions, type RestoreVersions } from '../versions/restore-versions.ts'
import { findIdsBefore, findVersionRows, listVersionsSince } from '../versions/version-rows.ts'
import { endProof, storeProofs } from './end-proof.ts'
import { listOwnKeys, planReturn, type OriginChange } from './plan-return.ts'
import type { ProofDeps } from './proof-deps.ts'
import { isRestoredSince, lockWatching } from './proof-rows.ts'
import type { Ending, NotRestored, ProofRow, RestoredIn } from './proof.ts'
import { findDeployed } from './read-proofs.ts'

/** Describes a proof whose signals were bad, and whose change is to be taken back. */
export interface FailedProof {
  readonly proof: ProofRow
  readonly ending: Ending
}

const hourMs = 60 * 60_000

/**
 * Takes back the change of a failed proof where it was made: what it set there, as far as nobody has changed it since, and at most
 * once an hour in an environment. The change and the end of the proof are one transaction. What today's rules refuse stays.
 */
export async function takeBack(deps: ProofDeps, orgId: string, failed: FailedProof): Promise<void> {
  try {
    await deps.store.transaction({ orgId }, (tx) =>
      settle(deps, tx, orgId, { ...failed, refused: undefined }),
    )
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    const { keys } = failed.proof
    const detail = `The values from before are refused today (${error.code}).`
    const notRestored: NotRestored = { code: 'refused', keys, detail }
    await deps.store.transaction({ orgId }, (tx) =>
      settle(deps, tx, orgId, { ...failed, refused: notRestored }),
    )
  }
}

async function settle(
  deps: ProofDeps,
  tx: Tx,
  orgId: string,
  { proof: judged, ending, refused }: FailedProof & { readonly refused: NotRestored | undefined },
): Promise<void> {
  const { schemaId, origins } = judged
  const environmentIds = origins.map(({ environmentId }) => environmentId)
  // The locks of a write, before those of the proofs: a write that begins a proof takes them in this order.
  const state =
    origins.length === 0
      ? undefined
      : await lockState(tx, deps.schemas, { orgId, schemaId, environmentIds })
  const stored = await lockWatching(tx, orgId)
  const proof = stored.find(({ id }) => id === judged.id)
  // Another node, a person or a later change was first.
  if (proof === undefined || proof.fence !== judged.fence || proof.waitsFor !== null) return
  const isDeployed = await findDeployed(deps.proofPorts, tx, orgId, [proof])
  if (isDeployed(proof)) return
  const { restored, notRestored } =
    refused === undefined
      ? await restoreUntouched(deps, tx, orgId, { proof, ending, state })
      : { restored: [], notRestored: refused }
  const proofs = new Map(stored.map((each) => [each.id, each]))
  endProof(
    proofs,
    proof,
    { ...ending, restored, ...(notRestored !== undefined && { notRestored }) },
    deps.now(),
  )
  await storeProofs(deps, tx, orgId, { stored, proofs })
}

interface Outcome {
  readonly restored: readonly RestoredIn[]
  readonly notRestored: NotRestored | undefined
}

interface ToRestore extends FailedProof {
  readonly state: LockedState | undefined
}

async function restoreUntouched(
  deps: ProofDeps,
  tx: Tx,
  orgId: string,
  { proof, ending, state }: ToRestore,
): Promise<Outcome> {
  const changes = state === undefined ? [] : await readOrigins(tx, orgId, proof, state)
  const { restores, notRestored } = planReturn(proof, changes)
  if (restores.length === 0) return { restored: [], notRestored }
  const since = new Date(deps.now().getTime() - hourMs)
  const environmentIds = [proof.environmentId, ...restores.map((each) => each.environmentId)]
  if (await isRestoredSince(tx, orgId, { environmentIds, since })) {
    const detail =
      'A change was taken back here within the last hour. A person decides about this one.'
    return { restored: [], notRestored: { code: 'hour', keys: proof.keys, detail } }
  }
  const within = {
    ...deps,
    store: {
      ...deps.store,
      transaction: <T>(_scope: unknown, work: (inner: Tx) => Promise<T>) => work(tx),
    },
    approvalCheck: approvedWithProof(proof),
  }
  const { environments } = await restoreVersions(within, asProof(orgId), {
    restores: restores.map(({ versionId, keys }) => ({
      versionId,
      keys,
      expectedVersion: undefined,
    })),
    include: [],
    confirmation: {
      confirm: [...(state?.policies.values() ?? [])].map(({ name }) => name),
      comment: cutText(`Taken back by its proof: ${ending.reason?.detail ?? ''}`, 1000),
      prove: null,
      from: 'body',
    },
    dryRun: false,
    force: false,
  } satisfies RestoreVersions)
  const restored = restores.flatMap(({ environmentId, keys }) => {
    const version = environments.find((each) => each.environmentId === environmentId)?.version
    return version === undefined
      ? []
      : [{ environmentId, versionId: version.id, version: version.version, keys }]
  })
  return { restored, notRestored }
}

/**
 * Lets the restore through where the write was: that it happens by itself was part of that. An environment that inherits only since
 * then needs its people.
 */
function approvedWithProof({ reached }: ProofRow): ApprovalCheck {
  return approvedFor(
    ({ environmentId, key }) => key !== null && (reached[environmentId]?.includes(key) ?? false),
  )
}

function asProof(orgId: string): Caller {
  return {
    orgId,
    scope: { orgId },
    author: systemAuthor,
    request: { requestId: '', ip: '', userAgent: undefined },
    permissions: [{ verbs, environmentIds: null, schemaIds: null }],
    environmentIds: null,
    schemaIds: null,
    readsSecrets: false,
    isAgent: false,
  }
}

/** Reads what the change set in each environment, and what others have changed there since. */
async function readOrigins(
  tx: Tx,
  orgId: string,
  { schemaId, origins, keys: changedKeys }: ProofRow,
  { state }: LockedState,
): Promise<OriginChange[]> {
  const of = { orgId, schemaId }
  const before = await findIdsBefore(tx, of, origins)
  const made = await listVersionsSince(
    tx,
    of,
    origins.map(({ environmentId, version }) => ({ environmentId, version: version - 1 })),
  )
  const ids = made.filter((row) => origins.some((each) => isAt(each, row))).map(({ id }) => id)
  const rows = new Map(
    (await findVersionRows(tx, orgId, [...ids, ...before.values()])).map((row) => [row.id, row]),
  )
  return origins.flatMap((origin): OriginChange[] => {
    const versionId = before.get(origin.environmentId)
    const was = rows.get(versionId ?? '')
    const is = [...rows.values()].find((row) => isAt(origin, row))
    if (versionId === undefined || was === undefined || is === undefined)
      return [{ ...origin, versionId: undefined, keys: changedKeys, touched: undefined }]
    const changed = new Set(is.changes.map(({ key }) => key))
    const later = made.filter(
      (row) => row.environmentId === origin.environmentId && row.version > origin.version,
    )
    const { version } = getCurrentValues(state, origin.environmentId)
    return [
      {
        ...origin,
        versionId,
        keys: listOwnKeys(was, is).filter(
          (key) => changed.has(key) && state.schema.definition.has(key),
        ),
        // Versions that are not stored any more may have changed anything.
        touched:
          later.length === version - origin.version
            ? new Set(later.flatMap(({ changedKeys }) => changedKeys))
            : undefined,
      },
    ]
  })
}

function isAt(
  origin: { readonly environmentId: string; readonly version: number },
  row: { readonly environmentId: string; readonly version: number },
): boolean {
  return origin.environmentId === row.environmentId && origin.version === row.version
}
