import type { OutputStream } from './output.ts'

/** Describes where progress is shown, and after which delay. */
export interface ProgressOptions {
  readonly stderr: OutputStream
  /** Shows nothing, for `--quiet` and `--json`. */
  readonly silent: boolean
  readonly delayMs?: number
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMs = 100
const lineEveryMs = 5_000

/** Runs work and shows that it goes on once it takes longer than a second. */
export type Progress = <T>(label: string, work: () => Promise<T>) => Promise<T>

/** Creates a progress display: a spinner on a terminal, a line every five seconds elsewhere. */
export function createProgress({ stderr, silent, delayMs = 1_000 }: ProgressOptions): Progress {
  let busy = false
  return async (label, work) => {
    // Shows one at a time: nested work is part of the outer one.
    if (silent || busy) return work()
    busy = true
    const startedAt = Date.now()
    const seconds = () => Math.floor((Date.now() - startedAt) / 1000)
    let timer: NodeJS.Timeout
    let drawn = false
    const spin = (frame: number) => {
      drawn = true
      stderr.write(`\r\u001B[2K${frames[frame % frames.length]} ${label} … ${seconds()} s`)
      timer = setTimeout(spin, frameMs, frame + 1)
    }
    const line = () => {
      stderr.write(`… ${label} (${seconds()} s)\n`)
      timer = setTimeout(line, lineEveryMs)
    }
    timer = stderr.isTTY === true ? setTimeout(spin, delayMs, 0) : setTimeout(line, delayMs)
    try {
      return await work()
    } finally {
      busy = false
      clearTimeout(timer)
      if (drawn) stderr.write('\r\u001B[2K')
    }
  }
}
