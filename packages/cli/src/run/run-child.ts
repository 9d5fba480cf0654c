import process from 'node:process'
import type { Session } from '../session.ts'
import { CliError } from '../terminal/cli-error.ts'

/** Holds the exit code of a child process, or the signal that ended it. */
export type ChildEnd = number | NodeJS.Signals

const forwarded = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const
/** Lists the signals that a terminal sends to the child itself, because parent and child share it. */
const sentByTerminal: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT'])

/**
 * Runs a program in place of this one: it gets the terminal and the signals. Returns its exit code, or the signal
 * that ended it.
 */
export function runChild(
  { cwd, surroundings }: Session,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    const child = surroundings.startChild(command, args, { env, cwd })
    const sharesTerminal = surroundings.stdin.isTTY
    const handlers = forwarded.map((signal) => {
      const handle = () => {
        if (!(sharesTerminal && sentByTerminal.has(signal))) child.kill(signal)
      }
      process.on(signal, handle)
      return [signal, handle] as const
    })
    const release = () => {
      for (const [signal, handle] of handlers) process.off(signal, handle)
    }
    child.once('error', (error) => {
      release()
      reject(cannotStart(command, error))
    })
    child.once('close', (code, signal) => {
      release()
      resolve(signal ?? code ?? 1)
    })
  })
}

/** Returns the exit code of shells: 127 when there is no such command, 126 when it is not executable. */
function cannotStart(command: string, cause: Error): CliError {
  const code = 'code' in cause ? cause.code : undefined
  const isAbsent = code === 'ENOENT'
  const why = isAbsent ? 'there is no such command' : 'it is not executable'
  const reason = isAbsent ? 'notFound' : 'notExecutable'
  return new CliError(reason, 'command_not_started', `Cannot start "${command}": ${why}.`, {
    advice:
      'Everything after -- is the command, for example: signalbox run --env staging -- node server.js',
    cause,
  })
}
