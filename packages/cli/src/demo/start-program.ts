import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Program } from '../server-bin/find-program.ts'
import { CliError } from '../terminal/cli-error.ts'

/** Describes a child process, until it is stopped. */
export interface RunningProgram {
  /** Holds the document that the program printed when it was ready. */
  readonly started: Readonly<Record<string, unknown>>
  /** Resolves when the program has ended, with the error to report in case nobody stopped it. */
  readonly ended: Promise<CliError>
  /** Stops the program, and waits for its end. */
  stop(): Promise<void>
}

export interface StartProgram {
  readonly program: Program
  /** Example: `server`. */
  readonly called: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** Aborts the wait for the start. */
  readonly signal: AbortSignal
  /** Maps error codes of the program to advice that replaces its own. */
  readonly advice?: Readonly<Record<string, string>>
  /** Called with each line that the program prints, but for the document of its start. */
  readonly show?: (line: string) => void
}

const outputMax = 64_000
/** Limits the start, because a new embedded database needs some seconds. */
const readyWithinMs = 90_000

/**
 * Starts a program of ours with `--json`, and returns when it reports that it is ready. It gets the terminal's
 * signals from this process alone, so that nothing ends before its dependents. It stops by itself when this process
 * ends.
 *
 * @throws {CliError} `<called>_not_started`
 */
export async function startProgram(start: StartProgram): Promise<RunningProgram> {
  const { program, called, args, env, cwd, signal, advice = {}, show } = start
  signal.throwIfAborted()
  const child = spawn(program.node, [...program.args, ...args, '--json'], {
    cwd,
    env,
    // The channel closes when this process ends.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString('utf8')}`.slice(-outputMax)
    show?.(chunk.toString('utf8').trimEnd())
  })
  const closed = once(child, 'close').catch(() => undefined)
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await closed
  }
  const started = await firstLine(child, signal, show)
  if (started === undefined) {
    await stop()
    throw explain(said, advice, [`${called}_not_started`, `The ${called} did not start.`])
  }
  const ended = closed.then(() =>
    explain(said, advice, [`${called}_ended`, `The ${called} stopped unexpectedly.`]),
  )
  return { started, ended, stop }
}

const linesMax = 20

/** Returns the error of a failed start, in the program's own words if it printed an error. */
function explain(
  said: string,
  adviceByCode: NonNullable<StartProgram['advice']>,
  [code, message]: readonly [code: string, message: string],
): CliError {
  const lines = said.trimEnd().split('\n')
  const reported = readError(lines.at(-1) ?? '')
  if (reported === undefined) {
    return new CliError('failure', code, message, { details: lines.slice(-linesMax) })
  }
  return new CliError('failure', code, message, {
    details: [reported.message, ...(reported.details ?? [])],
    advice: adviceByCode[reported.code] ?? reported.hint ?? undefined,
  })
}

interface ReportedError {
  readonly code: string
  readonly message: string
  readonly details?: readonly string[]
  readonly hint?: string | null
}

/** Parses the error document of a program of ours: `{"error":{"code":…,"message":…,"details":[…],"hint":…}}`. */
function readError(line: string): ReportedError | undefined {
  if (!line.startsWith('{"error":{')) return undefined
  try {
    // It is the one that we have started, of the same version.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (JSON.parse(line) as { readonly error: ReportedError }).error
  } catch {
    return undefined
  }
}

/** Returns the document of a program that is ready. `undefined`: it ended, took too long, or the wait was aborted. */
function firstLine(
  child: ChildProcess,
  signal: AbortSignal,
  show?: (line: string) => void,
): Promise<RunningProgram['started'] | undefined> {
  return new Promise((resolve) => {
    const giveUp = () => resolve(undefined)
    const timer = setTimeout(giveUp, readyWithinMs)
    signal.addEventListener('abort', giveUp, { once: true })
    if (child.stdout !== null) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (!line.startsWith('{"event":"started"')) return show?.(line)
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
