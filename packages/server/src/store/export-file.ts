import { createHash } from 'node:crypto'
import { z } from 'zod'

/**
 * Names the format of an export: gzip over lines of JSON. The first line is the header. Then come the rows, table by
 * table in the header's order: one line each, an array with each column as PostgreSQL's text or null. The last line is
 * the trailer.
 */
export const exportFormat = 'signalbox-export-1'

/** Describes the first line of an export. */
export const exportHeader = z.object({
  format: z.string(),
  createdAt: z.string(),
  /** Lists the migrations that the database had. */
  migrations: z.array(z.string()),
  /** Lists the check ids of the root keys that its secrets need. The keys themselves are never exported. */
  rootKeyIds: z.array(z.string()),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number().int().min(0),
      /** Lists the partitions with a day in their names, as `partition_ranges` does. Missing: the import adds none. */
      partitions: z
        .array(z.object({ name: z.string(), begins: z.string(), ends: z.string() }))
        .optional(),
    }),
  ),
})

export type ExportHeader = z.infer<typeof exportHeader>

/** Describes the last line of an export, with the hash of all lines before it. */
export const exportTrailer = z.object({ end: z.literal(exportFormat), sha256: z.string() })

/** Describes a row of an export: each column as PostgreSQL's text or null. */
export const exportRow = z.array(z.string().nullable())

export type ExportRow = z.infer<typeof exportRow>

/** Describes how far an export or import is. */
export interface ExportProgress {
  readonly table: string
  readonly rows: number
  readonly totalRows: number
}

/** Creates a SHA-256 over every line except the trailer, which holds it. */
export function createLineSum(): { add(line: string): void; digest(): string } {
  const hash = createHash('sha256')
  return {
    add(line) {
      hash.update(line).update('\n')
    },
    digest: () => hash.digest('hex'),
  }
}
