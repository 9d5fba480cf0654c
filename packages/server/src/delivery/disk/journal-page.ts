import { z } from 'zod'
import type { Signed } from '../../replica/signed.ts'
import type { RowFormat } from '../cache/saved-rows.ts'

/** Describes what a node without a database has read of what feeds it, and serves once its disk has it. */
export interface ReplicaChange {
  /** Holds the mark that names all of it. */
  readonly mark: Signed
  readonly records: readonly JournalRecord[]
  readonly removed: RemovedRecords
}

/** Holds a record as it was signed, without its signatures: what is on the disk was believed before. */
export interface JournalRecord {
  readonly header: string
  readonly content: string
}

/** Lists what no manifest names any more. */
export interface RemovedRecords {
  /** Lists snapshots as `sch_…/env_…`. */
  readonly browser: readonly string[]
  readonly server: readonly string[]
  /** Lists the ids of organizations whose API keys are gone. */
  readonly organizations: readonly string[]
}

/** Describes a file of the journal. */
export interface JournalPage extends ReplicaChange {
  /** Holds the number of the oldest page that is needed. */
  readonly from: number
}

/** Says that everything is still listed. */
export const nothingRemoved: RemovedRecords = { browser: [], server: [], organizations: [] }

const savedPage = z.object({
  from: z.number().int().positive(),
  mark: z.object({ text: z.string(), signatures: z.string() }),
  records: z.array(z.object({ header: z.string(), content: z.string() })),
  removed: z.object({
    browser: z.array(z.string()),
    server: z.array(z.string()),
    organizations: z.array(z.string()),
  }),
})

/** Writes a page as JSON. */
export const journalFormat: RowFormat<JournalPage> = {
  render: (page) => JSON.stringify(page),
  parse: (text) => savedPage.parse(JSON.parse(text)),
}

/** Limits a page, in characters, so that a node that begins with thousands of snapshots makes no text of all of them. */
const pageLength = 8_000_000

/** Splits a change into pages. A crash between two of them leaves the first ones, each of which stands for itself. */
export function splitChange({ mark, records, removed }: ReplicaChange): ReplicaChange[] {
  const parts: JournalRecord[][] = [[]]
  let length = 0
  for (const record of records) {
    if (length > pageLength) {
      parts.push([])
      length = 0
    }
    parts.at(-1)?.push(record)
    length += record.content.length
  }
  return parts.map((part, index) => ({
    mark,
    records: part,
    removed: index === 0 ? removed : nothingRemoved,
  }))
}
