import { pairKeyOf, type PairKey, type Published } from './published.ts'
import type { Head } from './rows.ts'
import type { Shelf } from './shelf.ts'

/** What receives the rows of one audience. */
export interface FeedTarget<Row extends Published, Item extends Published> {
  readonly shelf: Shelf<Item>
  readonly toItem: (row: Row) => Item
  /** Told of every row that was read, older versions included, to keep it beyond memory. */
  readonly keep: (row: Row) => void
  /** Told that whatever was kept of a pair is worth nothing any more. */
  readonly drop: (pair: PairKey) => void
  /** Told that versions before `oldest` are not to be shown any more: they may hold what became a secret. */
  readonly forgetBefore: (pair: PairKey, oldest: number) => void
}

export interface FoundHeads<Row> {
  readonly heads: readonly Head[]
  /** Whether the heads are those of every pair there is. */
  readonly whole: boolean
  readonly rowsOf: (heads: readonly Head[]) => Promise<readonly Row[]>
}

/** Rows are fetched in portions, so that none of them takes longer than a statement may. */
const rowsPerFetch = 50

/** Fetches what `heads` name and the target does not have, and takes away what is gone. Repeats change nothing. */
export async function takeHeads<Row extends Published, Item extends Published>(
  target: FeedTarget<Row, Item>,
  { heads, whole, rowsOf }: FoundHeads<Row>,
): Promise<void> {
  const { shelf } = target
  if (whole) dropAbsent(target, heads)
  for (const head of heads) if (head.gone) dropGone(target, head, whole)
  const wanted = heads.filter((head) => {
    if (head.gone) return false
    const held = shelf.find(pairKeyOf(head))
    return held === undefined || (whole ? !isSame(held, head) : held.version < head.version)
  })
  wanted.sort((one, other) => one.version - other.version)
  for (let start = 0; start < wanted.length; start += rowsPerFetch) {
    const rows = await rowsOf(wanted.slice(start, start + rowsPerFetch))
    for (const row of latestOfEachPair(rows)) {
      if (whole) replace(target, row)
      else shelf.put(target.toItem(row))
    }
    for (const row of rows) target.keep(row)
  }
  for (const head of heads) if (!head.gone) target.forgetBefore(pairKeyOf(head), head.oldest)
}

function dropAbsent<Row extends Published, Item extends Published>(
  target: FeedTarget<Row, Item>,
  heads: readonly Head[],
): void {
  const present = new Set(heads.map(pairKeyOf))
  const absent = [...target.shelf.list()].map(pairKeyOf).filter((pair) => !present.has(pair))
  for (const pair of absent) remove(target, pair)
}

function dropGone<Row extends Published, Item extends Published>(
  target: FeedTarget<Row, Item>,
  head: Head,
  whole: boolean,
): void {
  const pair = pairKeyOf(head)
  const held = target.shelf.find(pair)
  if (held !== undefined && (whole || held.version < head.version)) remove(target, pair)
}

function remove<Row extends Published, Item extends Published>(
  target: FeedTarget<Row, Item>,
  pair: PairKey,
): void {
  target.shelf.remove(pair)
  target.drop(pair)
}

/** Takes what the database says even where it is older: then it was restored, and what we kept never happened. */
function replace<Row extends Published, Item extends Published>(
  target: FeedTarget<Row, Item>,
  row: Row,
): void {
  const pair = pairKeyOf(row)
  const held = target.shelf.find(pair)
  if (held !== undefined && held.version >= row.version) target.drop(pair)
  target.shelf.replace(target.toItem(row))
}

function isSame(held: Published, head: Head): boolean {
  return held.version === head.version && held.etag === head.etag
}

/** Two writes within one look are one change to those who listen. */
function latestOfEachPair<Row extends Published>(rows: readonly Row[]): Iterable<Row> {
  const latest = new Map<PairKey, Row>()
  for (const row of rows) {
    const pair = pairKeyOf(row)
    const other = latest.get(pair)
    if (other === undefined || other.version < row.version) latest.set(pair, row)
  }
  return latest.values()
}
