import { listOldPages } from '../../read-models/deployments/list-old-pages.ts'
import {
  listDeploymentChanges,
  listTestRunChanges,
  listVersionChangesWithKeys,
} from '../../read-models/overview/change-rows.ts'
import { keepPartitions, type Period } from '../../store/partitions.ts'
import type { Store, Tx } from '../../store/store.ts'
import { entryOfDeployment, entryOfTestRun, entryOfVersion } from './archive-entries.ts'
import { insertArchived, type ArchiveEntry } from './archive-rows.ts'
import { hasEnded, monthOf } from './months.ts'

/** Puts into the archive what the same transaction deletes. */
export interface Archiver {
  /** Runs a transaction, with the partitions that what it archives goes into. */
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Archives deployments and their test runs. */
  addDeployments(
    tx: Reader,
    orgId: string,
    of: { readonly ids: readonly string[]; readonly runIds: readonly string[] },
  ): Promise<void>
  addTestRuns(tx: Reader, orgId: string, ids: readonly string[]): Promise<void>
  addVersions(tx: Reader, orgId: string, ids: readonly string[]): Promise<void>
}

type Reader = Pick<Tx, 'query'>

/** Ends a transaction whose partitions have to be made first: they are not made within it. */
class MonthsMissing extends Error {
  override readonly name = 'MonthsMissing'
  readonly months: readonly Period[]

  constructor(months: readonly Period[]) {
    super('The archive has no partitions for these months yet.')
    this.months = months
  }
}

const nothing = () => Promise.resolve()

/** Runs transactions that archive nothing. */
export function createNoArchiver(store: Pick<Store, 'maintenance'>): Archiver {
  return {
    run: (work) => store.maintenance(work),
    addDeployments: nothing,
    addTestRuns: nothing,
    addVersions: nothing,
  }
}

interface Archiving {
  readonly store: Pick<Store, 'maintenance'>
  readonly keptMs: number
  readonly now: Date
}

/** Archives what happened within the last `keptMs` before `now`, by month. What is older is only deleted. */
export function createArchiver(archiving: Archiving): Archiver {
  const months = createMonths(archiving)
  const { now } = archiving
  const add = async (tx: Reader, orgId: string, all: readonly ArchiveEntry[]) => {
    const entries = months.filter(all)
    if (entries.length > 0) await insertArchived(tx, orgId, { entries, now })
  }
  return {
    run: months.run,
    async addDeployments(tx, orgId, { ids, runIds }) {
      const deployments = await entriesOfDeployments(tx, orgId, ids)
      await add(tx, orgId, [...deployments, ...(await entriesOfTestRuns(tx, orgId, runIds))])
    },
    async addTestRuns(tx, orgId, ids) {
      await add(tx, orgId, await entriesOfTestRuns(tx, orgId, ids))
    },
    async addVersions(tx, orgId, ids) {
      const changes = await listVersionChangesWithKeys(tx, orgId, ids)
      await add(tx, orgId, changes.map(entryOfVersion))
    },
  }
}

interface Months extends Pick<Archiver, 'run'> {
  /** Returns what is kept for some time yet, whose partitions are there. */
  filter(entries: readonly ArchiveEntry[]): ArchiveEntry[]
}

function createMonths({ store, keptMs, now }: Archiving): Months {
  const keptSince = new Date(now.getTime() - keptMs)
  const known = new Set<number>()
  const keep = (periods: readonly Period[]) =>
    keepPartitions(store, {
      table: 'archive',
      periods,
      dropBefore: undefined,
      boundOf: (moment) => moment.toISOString(),
    })
  return {
    filter(all) {
      const entries = all.map((entry) => ({ entry, month: monthOf(entry.micros) }))
      const current = entries.filter(({ month }) => !hasEnded(month, keptSince))
      const missing = current
        .map(({ month }) => month)
        .filter(({ begins }) => !known.has(begins.getTime()))
      if (missing.length > 0) throw new MonthsMissing(missing)
      return current.map(({ entry }) => entry)
    },
    async run(work) {
      for (;;) {
        try {
          return await store.maintenance(work)
        } catch (error) {
          if (!(error instanceof MonthsMissing)) throw error
          const added = new Map(error.months.map((month) => [month.begins.getTime(), month]))
          await keep([...added.values()])
          // One that could not be added now is not waited for: its entries go into the default partition.
          for (const begins of added.keys()) known.add(begins)
        }
      }
    },
  }
}

/** Selects changes by their ids, whenever they happened. */
const always = { after: { micros: Date.UTC(2200, 0) * 1000, id: '' } }

async function entriesOfDeployments(
  tx: Reader,
  orgId: string,
  ids: readonly string[],
): Promise<ArchiveEntry[]> {
  const changes = await listDeploymentChanges(tx, orgId, { ...always, ids, limit: ids.length })
  const pages = await listOldPages(tx, orgId, ids)
  return changes.flatMap((change) => {
    const page = pages.get(change.id)
    return page === undefined ? [] : [entryOfDeployment(change, page)]
  })
}

async function entriesOfTestRuns(
  tx: Reader,
  orgId: string,
  ids: readonly string[],
): Promise<ArchiveEntry[]> {
  if (ids.length === 0) return []
  const page = { ...always, ids, limit: ids.length, isFolded: false }
  return (await listTestRunChanges(tx, orgId, page)).map(entryOfTestRun)
}
