import type { Store, Tx } from './store.ts'

/** Describes which partitions a table has that is divided by time. */
export interface PartitionPlan {
  /** Names the table. Its partitions are named by it and the day on which they begin: `received_webhooks_20261123`. */
  readonly table: string
  /** Lists the periods that have a partition each, also those that are to come. */
  readonly periods: readonly Period[]
  /** Partitions that ended at or before this moment are dropped with their rows. Undefined: none is. */
  readonly dropBefore: Date | undefined
  /** Finds when the oldest row came that must not go, however old it is. No partition goes that ends later. */
  readonly findOldestNeeded?: (tx: Pick<Tx, 'query'>) => Promise<Date | undefined>
  /** Returns the least value of the table's key at a moment, as PostgreSQL reads it. */
  readonly boundOf: (moment: Date) => string
}

/** Describes the time of one partition: from a midnight of UTC on, and before another. */
export interface Period {
  readonly begins: Date
  readonly ends: Date
}

/** Describes a partition that is gone. */
export interface DroppedPartition {
  readonly name: string
  /** About how many rows it had. Undefined: nobody had counted them yet. */
  readonly rows: number | undefined
}

/**
 * Adds the partitions that a table lacks, and then drops the first whose time is over: one in a call, so that a person who reads the
 * log can end it. Each has a transaction of its own, which waits a second for its lock at most. What could not be locked is left to
 * the next call. Safe to repeat, and beside other nodes. What another node dropped meanwhile counts as dropped.
 */
export async function keepPartitions(
  store: Pick<Store, 'maintenance'>,
  plan: PartitionPlan,
): Promise<{ readonly added: number; readonly dropped: DroppedPartition | undefined }> {
  const names = new Set(await listPartitions(store, plan.table))
  let added = 0
  for (const period of plan.periods) {
    const name = nameOf(plan.table, period.begins)
    if (!names.has(name) && (await addPartition(store, plan, { ...period, name }))) added += 1
  }
  return { added, dropped: await dropFirst(store, plan, [...names]) }
}

async function dropFirst(
  store: Pick<Store, 'maintenance'>,
  plan: PartitionPlan,
  names: readonly string[],
): Promise<DroppedPartition | undefined> {
  if (plan.dropBefore === undefined) return undefined
  const needed = await store.maintenance(async (tx) => plan.findOldestNeeded?.(tx))
  const dropBefore = needed !== undefined && needed < plan.dropBefore ? needed : plan.dropBefore
  // The function compares the ends; this leaves out those that have not even begun.
  const name = names.toSorted().find((each) => each < nameOf(plan.table, dropBefore))
  if (name === undefined) return undefined
  const rows = await estimateRows(store, name)
  await dropPartition(store, plan, { name, dropBefore })
  const left = await listPartitions(store, plan.table)
  return left.includes(name) ? undefined : { name, rows }
}

/** Estimates how many rows a partition has, as PostgreSQL last counted them. Counting takes seconds. */
async function estimateRows(
  store: Pick<Store, 'maintenance'>,
  name: string,
): Promise<number | undefined> {
  const [row] = await store.maintenance((tx) =>
    tx.query<{ rows: number | null }>({
      name: 'estimate-rows-of-partition',
      text: 'select nullif(reltuples, -1)::float8 as rows from pg_class where oid = to_regclass(quote_ident($1))',
      values: [name],
    }),
  )
  return row?.rows ?? undefined
}

/** Returns the name of the partition that begins at a moment. */
function nameOf(table: string, begins: Date): string {
  return `${table}_${begins.toISOString().slice(0, 10).replaceAll('-', '')}`
}

/** Lists the partitions that are named by a day: all but the default one. */
async function listPartitions(
  store: Pick<Store, 'maintenance'>,
  table: string,
): Promise<readonly string[]> {
  const rows = await store.maintenance((tx) =>
    tx.query<{ name: string | null }>({
      name: 'list-partitions',
      text: `select name from partition_ranges($1) where name ~ ('^' || $1 || '_[0-9]{8}$') order by name`,
      values: [table],
    }),
  )
  return rows.flatMap(({ name }) => name ?? [])
}

async function addPartition(
  store: Pick<Store, 'maintenance'>,
  { table, boundOf }: PartitionPlan,
  { name, begins, ends }: Period & { readonly name: string },
): Promise<boolean> {
  const [row] = await store.maintenance((tx) =>
    tx.query<{ isAdded: boolean | null }>({
      name: 'add-partition',
      text: 'select add_partition($1, $2, $3, $4) as "isAdded"',
      values: [table, name, boundOf(begins), boundOf(ends)],
    }),
  )
  return row?.isAdded === true
}

async function dropPartition(
  store: Pick<Store, 'maintenance'>,
  { table, boundOf }: PartitionPlan,
  { name, dropBefore }: { readonly name: string; readonly dropBefore: Date },
): Promise<void> {
  await store.maintenance((tx) => {
    // Nobody reads or writes the table from here to the commit, so the two are sent together.
    tx.atCommit({
      name: 'drop-partition',
      text: 'select drop_partition($1, $2, $3)',
      values: [table, name, boundOf(dropBefore)],
    })
    return Promise.resolve()
  })
}
