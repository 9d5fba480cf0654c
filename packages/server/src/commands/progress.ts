import type { ExportProgress } from '../store/export-file.ts'
import type { Terminal } from './command.ts'

const everyMs = 1_000

/** Prints the progress of a long copy once a second, so that it does not seem to hang. */
export function createProgress(
  terminal: Pick<Terminal, 'err'>,
  isQuiet: boolean,
): (progress: ExportProgress) => void {
  let shownAt = performance.now()
  return ({ table, rows, totalRows }) => {
    if (isQuiet || performance.now() - shownAt < everyMs) return
    shownAt = performance.now()
    terminal.err(`${rows} of ${totalRows} rows, in ${table}`)
  }
}
