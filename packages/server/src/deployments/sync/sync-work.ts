import type { Jobs } from '../../jobs/jobs.ts'
import type { InstallHooksDeps } from '../../integrations/webhooks/install-hooks.ts'
import type { CodehostApi } from '../../providers/codehost.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { HostDeploymentDeps } from '../deployment-deps.ts'
import type { IssueDeps } from '../issues/enrich-issues.ts'
import { closeKind, setTotal, skip, type Sync, type SyncCursor } from './sync.ts'
import type { RecordsApi } from './sync-budget.ts'
import { saveSync } from './sync-rows.ts'

/** Describes what syncs work with. */
export interface SyncDeps extends HostDeploymentDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly jobs: Pick<Jobs, 'enqueue' | 'enqueueAll'>
  /** The way to what an organization has connected. @throws {Problem} `integration_not_connected`, `reauth_required` */
  readonly openCodehost: (orgId: string) => Promise<CodehostApi>
}

/** Describes what else a worker needs to sync. */
export interface RunSyncDeps
  extends SyncDeps, IssueDeps, Pick<InstallHooksDeps, 'keys' | 'connectorOf' | 'publicUrl'> {
  readonly store: SyncDeps['store']
  readonly jobs: SyncDeps['jobs'] & InstallHooksDeps['jobs']
}

/** Describes what one job of a sync works with, and how long it may. */
export interface SyncSlice {
  readonly deps: RunSyncDeps
  readonly orgId: string
  /** Returns whether the time of this attempt is over. The rest is another job's. */
  isOver(): boolean
}

/** Holds a sync of a code host while a worker is at it. */
export interface SyncWork extends SyncSlice {
  /** The id of the code host's integration. */
  readonly integrationId: string
  readonly api: RecordsApi & Pick<CodehostApi, 'hooks'>
  readonly connectedAt: Date
  /** The revision at which this job read the sync. */
  readonly readRevision: number
}

/** Reports that another worker has continued the sync. */
export class SyncTaken extends Error {
  override readonly name = 'SyncTaken'
}

/** Reports that a step waits for another worker, which does the same. */
export class StepBusy extends Error {
  override readonly name = 'StepBusy'
  /** True: the other worker may be at another job of this very sync. */
  readonly mayBeOwn: boolean

  constructor(message: string, { mayBeOwn }: { readonly mayBeOwn: boolean }) {
    super(message)
    this.mayBeOwn = mayBeOwn
  }
}

/** Writes how far a sync is, in the transaction of what it has done. @throws {SyncTaken} */
export async function keepSync(tx: Tx, orgId: string, sync: Sync): Promise<Sync> {
  if (!(await saveSync(tx, orgId, sync))) throw new SyncTaken('The sync goes on elsewhere')
  return { ...sync, revision: sync.revision + 1 }
}

const freshRepository = { page: null, done: [], before: [], count: 0 } as const

/** Continues with the repository after this one. */
export function leaveRepository(cursor: SyncCursor, id: string): SyncCursor {
  return { ...cursor, ...freshRepository, after: id }
}

/** Ends a step that goes through the repositories. */
export function endStep(
  { cursor, progress, ...sync }: Sync,
  kind: 'environments' | 'deployments',
): Sync {
  const closed = closeKind(progress, kind)
  return {
    ...sync,
    // From here on it is known how many deployments there are to read, but for those that are too old.
    progress: kind === 'environments' ? setTotal(closed, 'deployments', cursor.expected) : closed,
    cursor: leaveRepository({ ...cursor, step: 'deployments' }, ''),
  }
}

/**
 * Calls the host about one repository. If the repository is gone or out of reach, it records that, and the sync
 * continues with the others.
 *
 * @throws {ProviderError} for what concerns the whole account.
 */
export async function askOfRepository<Answer>(
  ask: () => Promise<Answer>,
  of: string,
): Promise<{ readonly answer: Answer } | { readonly skipped: string }> {
  try {
    return { answer: await ask() }
  } catch (error) {
    const isOfRepository =
      error instanceof ProviderError &&
      (error.failure === 'forbidden' ||
        error.failure === 'notFound' ||
        error.failure === 'rejected')
    if (!isOfRepository) throw error
    return {
      skipped: `Signalbox couldn’t read ${of}. Check what the connected account may read. The code is ${error.code}.`,
    }
  }
}

/** Returns the sync with a repository left out. */
export function skipRepository(sync: Sync, id: string, sentence: string): Sync {
  return { ...sync, cursor: leaveRepository(skip(sync.cursor, sentence), id) }
}
