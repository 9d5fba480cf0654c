#!/usr/bin/env node
import process from 'node:process'
import { run, type StricliProcess } from '@stricli/core'
import { createApp } from './app.ts'
import type { CliContext } from './cli-context.ts'
import { completeWord } from './commands/server/completion-scripts.ts'
import { hoistGlobalFlags } from './hoist-global-flags.ts'
import { asksForOverview, expandHelp, renderOverview } from './help/overview.ts'
import { listProxyVariables } from './project/proxy-variables.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { printable } from './terminal/printable.ts'
import { programName } from './terminal/program-name.ts'
import { wantsColor } from './terminal/styles.ts'

// Ignores a reader that closes its end (`| head`).
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if ('code' in error && error.code === 'EPIPE') process.exit(exitCodes.ok)
    throw error
  })
}

// Loaded only where it is needed: most commands start without it.
if (listProxyVariables(process.env).length > 0) {
  const { useProxies } = await import('./api/proxies.ts')
  useProxies()
}

const inputs = expandHelp(hoistGlobalFlags(process.argv.slice(2)))
const ownArguments = inputs.includes('--') ? inputs.slice(0, inputs.indexOf('--')) : inputs
const color = wantsColor(
  process.env,
  process.stderr.isTTY,
  ownArguments.includes('--no-color') ? false : ownArguments.includes('--color') ? true : undefined,
)
const app = createApp({
  json: ownArguments.includes('--json'),
  color,
  verbose: ownArguments.includes('--verbose'),
  words: ownArguments.filter((word) => !word.startsWith('-')),
  program: programName(process.env, process.cwd()),
})
const stricliProcess: StricliProcess = { stdout: process.stdout, stderr: process.stderr }
const context: CliContext = { process: stricliProcess }
if (inputs[0] === completeWord) await complete(inputs.slice(1))
else if (asksForOverview(inputs)) process.stdout.write(`${renderOverview()}\n`)
else await run(app, inputs, context)

const { exitWith } = context
if (typeof exitWith === 'string') endBySignal(exitWith)
else process.exitCode = exitWith ?? usageCode(stricliProcess.exitCode)
await drain()
// Exits even if a definition file has left timers or sockets open.
process.exit()

/** Prints the completions for a shell: global flags, `--`, and the words as far as they are typed. */
async function complete(args: readonly string[]): Promise<void> {
  const escape = args.indexOf('--')
  const words = args.filter((_, index) => index !== escape)
  const { propose } = await import('./completion/propose.ts')
  const { askServer } = await import('./completion/known-names.ts')
  const proposals = await propose(app, words, askServer(words))
  for (const { word, brief } of proposals) {
    process.stdout.write(`${word}\t${printable(brief.replaceAll('\t', ' '))}\n`)
  }
}

/** Stricli's own codes for wrong input are negative. */
function usageCode(code: StricliProcess['exitCode']): number {
  const number = Number(code ?? exitCodes.ok)
  return number < 0 ? exitCodes.usage : number
}

/** Ends like the child, so that a shell sees the signal. */
function endBySignal(signal: NodeJS.Signals): void {
  process.exitCode = exitCodes.interrupted
  process.kill(process.pid, signal)
}

async function drain(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => {
      stream.write('', () => {
        resolve()
      })
    })
  }
}
