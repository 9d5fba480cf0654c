import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { isPortOpen } from '../network/ports.ts'
import { until } from '../proof-service.ts'

/** Describes a program that a test has found, and its files. */
export interface StartProgram {
  readonly program: string
  readonly args: readonly string[]
  /** Removed once it has ended. */
  readonly directory: string
  /** It has started once all of them take connections. */
  readonly ports: Iterable<number>
  readonly as?: Pick<SpawnOptions, 'uid' | 'gid'>
}

/** Starts a program that listens on this machine, and returns what ends it. @throws {Error} with what it printed, when it ends. */
export async function startProgram(of: StartProgram): Promise<() => Promise<void>> {
  const { program, args, directory, ports } = of
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...of.as })
  const ended = once(child, 'exit')
  let printed = ''
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  for (const port of ports)
    await until(() => child.exitCode !== null || isPortOpen(port), `an open port of ${program}`)
  if (child.exitCode !== null) throw new Error(`${program} ended: ${printed}`)
  return async () => {
    child.kill('SIGKILL')
    await ended
    await rm(directory, { recursive: true, force: true })
  }
}
