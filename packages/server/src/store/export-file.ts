import { createHash } from 'node:crypto'
import { z } from 'zod'

/**
 * The file of an export: gzip over lines of JSON. The first line is the header; then, table by table in the
 * header's order, one line per row, an array with each column as PostgreSQL's text or null; the last line is the trailer.
 */
export const exportFormat = 'signalbox-export-1'

export const exportHeader = z.object({
  format: z.string(),
  createdAt: z.string(),
  /** The steps that gave the database its shape. */
  migrations: z.array(z.string()),
  /** Check ids of the root keys that its secrets need: the keys themselves are never in it. */
  rootKeyIds: z.array(z.string()),
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number().int().min(0) }),
  ),
})

export type ExportHeader = z.infer<typeof exportHeader>

export const exportTrailer = z.object({ end: z.literal(exportFormat), sha256: z.string() })

export const exportRow = z.array(z.string().nullable())

export type ExportRow = z.infer<typeof exportRow>

/** Says how far an export or import is. */
export interface ExportProgress {
  readonly table: string
  readonly rows: number
  readonly totalRows: number
}

/** Sums up every line but the trailer, which holds the sum. */
export function createLineSum(): { add(line: string): void; digest(): string } {
  const hash = createHash('sha256')
  return {
    add(line) {
      hash.update(line).update('\n')
    },
    digest: () => hash.digest('hex'),
  }
}
