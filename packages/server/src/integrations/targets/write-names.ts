import { ProviderError } from '../../providers/provider-error.ts'
import type { TargetApi } from '../../providers/target.ts'
import type { Tx } from '../../store/store.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import { deleteNameRow, saveNameRow } from './name-rows.ts'
import { digestOf, type PlannedName } from './plan-names.ts'
import { digestContext, type LedgerName } from './target.ts'

/** Signals that another run has the target by now, which continues what this one began. */
export class LostLeaseError extends Error {
  override readonly name = 'LostLeaseError'
}

/** Runs a step that belongs to a run, and renews its lease. @throws {LostLeaseError} when another run has the target by now */
export type InRun = <T>(step: (tx: Tx) => Promise<T>) => Promise<T>

/** Lists what a run wrote, by the names at the destination. */
export interface WrittenNames {
  readonly put: readonly string[]
  readonly removed: readonly string[]
  /** Lists names that the provider refused for good. */
  readonly rejected: readonly string[]
}

/** Describes what writing works with. */
interface WriteDeps {
  readonly api: TargetApi
  readonly step: InRun
  readonly signal: AbortSignal
  readonly now: () => Date
}

/** Describes what is written. */
interface Writing {
  readonly orgId: string
  readonly targetId: string
  readonly version: number
  readonly sealer: Sealer
  readonly names: readonly PlannedName[]
}

/**
 * Writes and deletes names one after the other. Before each call the ledger records that the name is ours, and after it
 * what was written: a run that is killed in between is repeated, and touches no name of others.
 *
 * @throws {ProviderError} of the first call that fails for a reason beyond its name
 */
export async function writeNames(deps: WriteDeps, writing: Writing): Promise<WrittenNames> {
  const put: string[] = []
  const removed: string[] = []
  const rejected: string[] = []
  for (const planned of writing.names) {
    if (deps.signal.aborted) throw new LostLeaseError()
    const { name, action } = planned
    if (action === 'delete') {
      await removeName(deps, writing, planned)
      removed.push(name)
    } else if (action === 'create' || action === 'update') {
      const isPut = await putName(deps, writing, planned)
      const list = isPut ? put : rejected
      list.push(name)
    }
  }
  return { put, removed, rejected }
}

async function putName(
  { api, step, now }: WriteDeps,
  { orgId, targetId, version, sealer }: Writing,
  { slot, store, name, key, value = '', known, remote }: PlannedName,
): Promise<boolean> {
  const row: LedgerName = {
    slot,
    store,
    name,
    key: key ?? '',
    state: 'writing',
    version: known?.version ?? null,
    sealedDigest: null,
    writtenAt: known?.writtenAt ?? null,
  }
  await step((tx) => saveNameRow(tx, orgId, targetId, row))
  try {
    await api.put({ store, name, value }, remote)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.failure !== 'ambiguous') {
      await step((tx) => takeBack(tx, orgId, { targetId, row, known }))
    }
    if (error.failure === 'rejected') return false
    throw error
  }
  const sealedDigest = sealer.seal(digestContext(orgId, targetId, slot), digestOf(value))
  await step((tx) =>
    saveNameRow(tx, orgId, targetId, {
      ...row,
      state: 'written',
      version,
      sealedDigest,
      writtenAt: now(),
    }),
  )
  return true
}

/** Records that nothing was written: a name that was not ours before, or was adopted and never written, is so again. */
async function takeBack(
  tx: Tx,
  orgId: string,
  { targetId, row, known }: { targetId: string; row: LedgerName; known: PlannedName['known'] },
): Promise<void> {
  if (known === undefined) await deleteNameRow(tx, orgId, { targetId, slot: row.slot })
  else if (known.state === 'adopted') {
    await saveNameRow(tx, orgId, targetId, { ...row, state: 'adopted' })
  }
}

async function removeName(
  { api, step }: WriteDeps,
  { orgId, targetId }: Writing,
  { slot, store, name, known, remote }: PlannedName,
): Promise<void> {
  if (remote !== undefined) {
    const row = { slot, store, name, key: known?.key ?? '', sealedDigest: null }
    await step((tx) =>
      saveNameRow(tx, orgId, targetId, {
        ...row,
        state: 'deleting',
        version: known?.version ?? null,
        writtenAt: known?.writtenAt ?? null,
      }),
    )
    await api.remove(remote)
  }
  await step((tx) => deleteNameRow(tx, orgId, { targetId, slot }))
}
