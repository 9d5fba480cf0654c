import type { Terminal } from './commands/command.ts'
import { holdYoungGeneration } from './delivery/fast/hold-young-generation.ts'
import { keepTickShape } from './delivery/fast/keep-tick-shape.ts'

// Before anything is loaded: the young generation keeps what it has grown to, and V8 the shapes that are in use.
keepTickShape()
const releaseYoungGeneration = holdYoungGeneration()
const { runCommand } = await import('./commands/run-command.ts')

const terminal: Terminal = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  isTerminal: process.stdout.isTTY,
}

// The reader of the output may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

/** Longer than what a failed command still prints takes. */
const endWithinMs = 2_000

process.exitCode = await runCommand({ terminal, releaseYoungGeneration })
// A start that failed half-way may have left something open. It would keep the process, and nobody starts that again.
if (process.exitCode !== 0) setTimeout(() => process.exit(), endWithinMs).unref()
