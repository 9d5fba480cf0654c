import type { ExportProgress } from '../store/export-file.ts'
import type { Terminal } from './command.ts'

const everyMs = 1_000

/** Prints how far a long copy is, once a second, so that nobody wonders whether it hangs. */
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
