import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { serviceProgram } from '../../../packages/server/src/commands/testing/service-program.ts'
import type { ProofService } from '../proof-service.ts'

/** Bytes in which a secret must not be. */
export interface SearchedBytes {
  readonly name: string
  readonly bytes: Buffer
}

/** Every row of every table, the queue's included, with each column as text. */
export async function dumpDatabase({
  asOwner,
}: Pick<ProofService, 'asOwner'>): Promise<SearchedBytes[]> {
  const tables = await asOwner<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  )
  const places: SearchedBytes[] = []
  for (const { name } of tables) {
    // A row as text shows json as it was written and bytes in hex.
    const rows = await asOwner<{ row: string }>(`select t::text as row from ${name} t`)
    // Its own quotes are doubled in there, which would hide what is quoted.
    const text = rows.map(({ row }) => row.replaceAll('""', '"')).join('\n')
    places.push({ name: `table ${name}`, bytes: Buffer.from(text) })
  }
  return places
}

/** Every file below a directory, but those named in `except`. */
export async function readDirectory(
  directory: string,
  except: readonly string[] = [],
): Promise<SearchedBytes[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const places: SearchedBytes[] = []
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(directory, path)
    if (except.includes(name)) continue
    const bytes = await readFile(path).catch(unlessGone)
    if (bytes !== undefined) places.push({ name: `file ${name}`, bytes })
  }
  return places
}

/** A file that is written beside and renamed may go between the look at its directory and the look at it. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

const run = promisify(execFile)

/** Runs a command of the server beside the running service, with its settings. Answers all it printed. */
export async function runCommand(
  proof: Pick<ProofService, 'env'>,
  ...args: readonly string[]
): Promise<Buffer> {
  const { stdout, stderr } = await run(
    process.execPath,
    ['--conditions=@signalbox/source', serviceProgram, ...args],
    { env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...proof.env } },
  )
  return Buffer.from(stdout + stderr)
}
