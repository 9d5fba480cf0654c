import { systemAuthor } from '../../audit/audit-event.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { TargetFailure } from '../../providers/target.ts'
import { findOrganization } from '../../identity/organizations/rows.ts'
import { recordTargetEvent } from './create-target.ts'
import { explainTargetError, toTargetProblem } from './explain-failure.ts'
import { openDestination, readSource, type TargetSource } from './open-destination.ts'
import { planNames } from './plan-names.ts'
import type { TargetDeps } from './target-deps.ts'
import {
  deleteTargetRow,
  endRunRow,
  leaseTargetRow,
  lockTargetRow,
  type Lease,
} from './target-rows.ts'
import { LostLeaseError, writeNames, type InRun, type WrittenNames } from './write-names.ts'

/** A node that lives renews its lease before each call, which takes ten seconds at most. */
const leaseMs = 60_000

/** Names the target of a run. */
export interface RunSubject {
  readonly orgId: string
  readonly id: string
}

/**
 * Writes what changed to a destination, until nothing waits. One node at a time has a target; another leaves a job behind for
 * the end of the lease.
 *
 * @throws {Problem} `provider_error`: the job is tried again
 */
export async function runTarget(
  deps: TargetDeps,
  of: RunSubject,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const run = await begin(deps, of)
    if (run === undefined) return
    const isMore = await perform(deps, of, run, signal)
    if (!isMore) return
  }
}

/** Holds a target that this run has to itself. */
export interface BegunRun extends TargetSource {
  readonly lease: Lease
  /** Holds the count of the reasons that this run has demand. */
  readonly demand: number
}

async function begin(deps: TargetDeps, { orgId, id }: RunSubject): Promise<BegunRun | undefined> {
  const { store, jobs, now } = deps
  return store.transaction({ orgId }, async (tx) => {
    const target = await lockTargetRow(tx, orgId, id)
    if (target === undefined || (target.state !== 'active' && target.state !== 'deleting')) return
    if ((await findOrganization(tx, orgId)) === undefined) return
    const { leaseUntil, demand } = target
    // A lease that ends later than one of now is of a clock that was ahead.
    const leasedMs = (leaseUntil?.getTime() ?? 0) - now().getTime()
    if (leaseUntil !== null && leasedMs > 0 && leasedMs <= leaseMs) {
      await jobs.enqueue(tx, 'targets.run', { orgId, id }, { key: id, startAfter: leaseUntil })
      return
    }
    const lease = { id, fence: target.fence + 1 }
    const until = new Date(now().getTime() + leaseMs)
    await leaseTargetRow(tx, orgId, { ...lease, holder: jobs.nodeId, until })
    return { ...(await readSource(deps, tx, orgId, target)), lease, demand }
  })
}

function inRun({ store, jobs, now }: TargetDeps, orgId: string, lease: Lease): InRun {
  return (step) =>
    store.transaction({ orgId }, async (tx) => {
      const current = await lockTargetRow(tx, orgId, lease.id)
      if (current?.fence !== lease.fence) throw new LostLeaseError()
      const until = new Date(now().getTime() + leaseMs)
      await leaseTargetRow(tx, orgId, { ...lease, holder: jobs.nodeId, until })
      return step(tx)
    })
}

/** Performs a run, and returns whether something happened in the meantime that requires another. */
async function perform(
  deps: TargetDeps,
  { orgId, id }: RunSubject,
  run: BegunRun,
  signal: AbortSignal,
): Promise<boolean> {
  const { target, lease } = run
  try {
    const step = inRun(deps, orgId, lease)
    const written = await write(deps, orgId, run, { step, signal })
    return await end(deps, orgId, run, written)
  } catch (error) {
    if (error instanceof LostLeaseError) return false
    const failure = explainTargetError(error, deps, target)
    await deps.store.transaction({ orgId }, async (tx) => {
      await endRunRow(tx, orgId, {
        ...lease,
        at: deps.now(),
        demand: null,
        version: null,
        failure: failure ?? unexpected,
      })
      const retryAt = retryAtOf(error)
      if (retryAt === undefined) return
      await deps.jobs.enqueue(tx, 'targets.run', { orgId, id }, { key: id, startAfter: retryAt })
    })
    if (retryAtOf(error) !== undefined) return false
    throw failure === undefined ? error : toTargetProblem(failure, error, deps.now())
  }
}

const unexpected: TargetFailure = {
  reason: 'unavailable',
  detail: 'Signalbox hit an unexpected error.',
  nextStep: 'Signalbox tries again automatically. The cause is in the server’s log.',
  url: null,
}

const sourceDeleted: TargetFailure = {
  reason: 'source_deleted',
  detail: 'The schema or the environment of this target was deleted. Its names stay as they are.',
  nextStep: 'Delete the target, and keep or remove its names.',
  url: null,
}

function retryAtOf(error: unknown): Date | undefined {
  if (!(error instanceof ProviderError)) return undefined
  return error.failure === 'rateLimited' ? error.retryAt : undefined
}

/** Holds what a run wrote, and what is wrong afterwards. */
interface RunResult {
  readonly written: WrittenNames
  readonly version: number | null
  readonly failure: TargetFailure | null
}

const nothing: WrittenNames = { put: [], removed: [], rejected: [] }

async function write(
  deps: TargetDeps,
  orgId: string,
  run: BegunRun,
  { step, signal }: { readonly step: InRun; readonly signal: AbortSignal },
): Promise<RunResult> {
  const { target, descriptor: rules, published, ledger } = run
  const isDeleting = target.state === 'deleting'
  if (published === undefined && !isDeleting) {
    return { written: nothing, version: null, failure: sourceDeleted }
  }
  const api = await openDestination(deps, orgId, run)
  const remote = await api.list()
  const values = isDeleting || published === undefined ? new Map<string, never>() : published.values
  const { names } = planNames({ values, selection: target, ledger, remote, rules })
  const version = published?.version ?? 0
  const written = await writeNames(
    { api, step, signal, now: deps.now },
    { orgId, targetId: target.id, version, sealer: run.sealer, names },
  )
  const refused = names.filter(({ action }) => action === 'refuse').map(({ name }) => name)
  const taken = names.filter(({ action }) => action === 'conflict').map(({ name }) => name)
  return { written, version, failure: failureOf({ rejected: written.rejected, refused, taken }) }
}

const namesShown = 5

function listNames(names: readonly string[]): string {
  const more = names.length - namesShown
  const list = names.slice(0, namesShown).join(', ')
  return more > 0 ? `${list} and ${more} more` : list
}

function failureOf({
  rejected,
  refused,
  taken,
}: {
  readonly rejected: readonly string[]
  readonly refused: readonly string[]
  readonly taken: readonly string[]
}): TargetFailure | null {
  if (rejected.length > 0) {
    return {
      reason: 'rejected',
      detail: `The provider refused ${listNames(rejected)}.`,
      nextStep: 'Change the keys, or choose others.',
      url: null,
    }
  }
  if (taken.length > 0) {
    return {
      reason: 'names_taken',
      detail:
        taken.length === 1
          ? `${listNames(taken)} is somebody else’s or belongs to others too, and Signalbox leaves it alone.`
          : `${listNames(taken)} are somebody else’s or belong to others too, and Signalbox leaves them alone.`,
      nextStep: 'Open the plan, and adopt these names or rename the keys.',
      url: null,
    }
  }
  if (refused.length === 0) return null
  return {
    reason: 'names_refused',
    detail: `The destination can’t hold ${listNames(refused)}.`,
    nextStep: 'Open the plan, which says why, and change the keys.',
    url: null,
  }
}

async function end(
  { store, now }: TargetDeps,
  orgId: string,
  { target, lease, demand }: BegunRun,
  { written, version, failure }: RunResult,
): Promise<boolean> {
  return store.transaction({ orgId }, async (tx) => {
    const current = await lockTargetRow(tx, orgId, lease.id)
    if (current?.fence !== lease.fence) return false
    const { put, removed } = written
    if (put.length + removed.length > 0) {
      recordTargetEvent(
        tx,
        { orgId, author: systemAuthor },
        { action: 'target.written', target, detail: { version, written: put, removed } },
      )
    }
    if (current.state === 'deleting' && target.state === 'deleting' && failure === null) {
      await deleteTargetRow(tx, orgId, lease.id)
      return false
    }
    await endRunRow(tx, orgId, { ...lease, at: now(), demand, version, failure })
    return current.demand > demand
  })
}
