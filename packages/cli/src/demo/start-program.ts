import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Program } from '../server-bin/find-program.ts'
import { CliError } from '../terminal/cli-error.ts'

/** A program that runs beside us, until it is stopped. */
export interface RunningProgram {
  /** What it said of itself when it was ready. */
  readonly started: Readonly<Record<string, unknown>>
  /** Resolves when it has ended, by itself or stopped. */
  readonly ended: Promise<unknown>
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<void>
}

export interface StartProgram {
  readonly program: Program
  /** Example: `server`. */
  readonly called: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
}

/** An embedded database that is new takes its seconds. */
const readyWithinMs = 90_000

/**
 * Starts a program of ours with `--json`, and answers when it says that it is there. It gets the signals of the terminal
 * from us alone, so that nothing ends before what needs it.
 *
 * @throws {CliError} `<called>_not_started`
 */
export async function startProgram(start: StartProgram): Promise<RunningProgram> {
  const { program, called, args, env, cwd } = start
  const child = spawn(program.node, [...program.args, ...args, '--json'], {
    cwd,
    env,
    // The channel tells it when we are gone.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
  const ended = once(child, 'exit').catch(() => undefined)
  let said = ''
  child.stderr?.on(
    'data',
    (chunk: Buffer) => (said = `${said}${chunk.toString('utf8')}`.slice(-4_000)),
  )
  const started = await firstLine(child)
  if (started === undefined) {
    child.kill('SIGKILL')
    throw new CliError('failure', `${called}_not_started`, `The ${called} did not start.`, {
      details: said.trimEnd().split('\n'),
    })
  }
  return {
    started,
    ended,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await ended
    },
  }
}

/** The line with which a program says that it is ready; `undefined`: it ended, or took too long. */
function firstLine(child: ChildProcess): Promise<RunningProgram['started'] | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), readyWithinMs)
    if (child.stdout !== null) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (!line.startsWith('{"event":"started"')) return
        clearTimeout(timer)
        resolve(JSON.parse(line))
      })
    }
    for (const end of ['exit', 'error'] as const) {
      child.once(end, () => {
        clearTimeout(timer)
        resolve(undefined)
      })
    }
  })
}
