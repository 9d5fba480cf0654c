import { fork, type ChildProcess } from 'node:child_process'
import { OperatorError } from '../../store/operator-error.ts'
import type { MetricFigures } from '../../telemetry/join-figures.ts'
import type { Begin, FromProcess, ProcessStarted, ToProcess } from './messages.ts'

/** Describes how a process ended. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: string | null
}

/** Controls a process that delivers. */
export interface ForkedDelivery {
  readonly pid: number | undefined
  /** Rejects when it ends before it serves. */
  readonly started: Promise<ProcessStarted>
  /** Never rejects. */
  readonly ended: Promise<ProcessEnd>
  send(message: ToProcess): void
  /** Asks for its metrics. Returns `undefined` when no answer comes within `limitMs`. */
  measure(limitMs: number): Promise<readonly MetricFigures[] | undefined>
  kill(): void
}

/** Sources run as they are; only the build has JavaScript. */
const isSource = import.meta.url.endsWith('.ts')
const script = new URL(`./delivery-process.${isSource ? 'ts' : 'js'}`, import.meta.url)

/** Starts a process that delivers, with the output of this one. `onMessage` is called with what it sends. */
export function forkDelivery(
  begin: Omit<Begin, 'type'>,
  onMessage: (message: FromProcess) => void,
): ForkedDelivery {
  const child = fork(script, {
    // Dates and missing values arrive as they are sent.
    serialization: 'advanced',
    ...(isSource && {
      execArgv: [...process.execArgv, '--conditions=@signalbox/source', '--no-warnings'],
    }),
  })
  const ended = awaitEnd(child)
  const measures = new Map<number, (figures: readonly MetricFigures[]) => void>()
  let lastId = 0
  child.on('message', (message: FromProcess) => {
    if (message.type === 'measured') measures.get(message.id)?.(message.figures)
    else onMessage(message)
  })
  const send = (message: ToProcess) => {
    // A failure means that the process has ended, which `ended` tells.
    if (child.connected) child.send(message, () => {})
  }
  send({ ...begin, type: 'begin' })
  return {
    pid: child.pid,
    started: awaitStart(child, ended),
    ended,
    send,
    measure(limitMs) {
      const id = (lastId += 1)
      return new Promise((resolve) => {
        const settle = (figures?: readonly MetricFigures[]) => {
          clearTimeout(timer)
          measures.delete(id)
          resolve(figures)
        }
        const timer = setTimeout(settle, limitMs)
        measures.set(id, settle)
        void ended.then(() => settle())
        send({ type: 'measure', id })
      })
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

function awaitEnd(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    // It could not be started at all.
    child.once('error', () => {
      if (child.pid === undefined) resolve({ code: null, signal: null })
    })
  })
}

function awaitStart(child: ChildProcess, ended: Promise<ProcessEnd>): Promise<ProcessStarted> {
  const started = new Promise<ProcessStarted>((resolve, reject) => {
    child.on('message', (message: FromProcess) => {
      if (message.type === 'started') resolve(message.started)
      if (message.type !== 'failed') return
      const { message: text, code, advice } = message.failure
      reject(new OperatorError(text, { code, ...(advice !== undefined && { advice }) }))
    })
    void ended.then(({ code, signal }) =>
      reject(new OperatorError(`A delivery process ended with ${signal ?? code} at its start.`)),
    )
  })
  started.catch(() => {})
  return started
}
