#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import process from 'node:process'
import { runCommandLine } from './app.ts'
import { listProxyVariables } from './project/proxy-variables.ts'
import { exitCodes } from './terminal/exit-codes.ts'

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

const end = await runCommandLine(process.argv.slice(2), {
  // Node opens the stream when it is first named.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  home: homedir(),
  startChild: (command, words, options) => spawn(command, words, { ...options, stdio: 'inherit' }),
})
if (typeof end === 'string') endBySignal(end)
else process.exitCode = end
await drain()
// Exits even if a definition file has left timers or sockets open.
process.exit()

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
