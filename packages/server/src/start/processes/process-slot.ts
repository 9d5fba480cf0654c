import type { Log } from '../../telemetry/log.ts'
import type { MetricFigures } from '../../telemetry/join-figures.ts'
import type { DeliveryPorts } from '../service.ts'
import type { ForkedDelivery, ProcessEnd } from './fork-delivery.ts'
import type { ProcessStarted, ToProcess } from './messages.ts'

/** Holds one process of a node, and starts another one when it ends. */
export interface ProcessSlot {
  /** Starts the first process. Rejects when that cannot serve; only a process that has served is replaced. */
  start(ports: DeliveryPorts): Promise<ProcessStarted>
  /** Sends a message to the process, if there is one. */
  send(message: ToProcess): void
  /** Returns the metrics of the process, or the last ones when it does not answer. */
  measure(): Promise<readonly MetricFigures[]>
  /** Notes that the process has said something. */
  noteLife(): void
  /** Lets the process end its streams, and serve on. One that ends from now on is not replaced. */
  drain(pauseMs: number): void
  close(): Promise<void>
  kill(): void
}

/** Lists what a slot needs. */
export interface ProcessSlotDeps {
  readonly fork: (ports: DeliveryPorts) => ForkedDelivery
  /** Called after the end of each process, with the last metrics of it. */
  readonly onEnd: (figures: readonly MetricFigures[]) => void
  readonly log: Log
}

/** Lets a process that ends at once, again and again, cost little: the pause doubles up to the longest one. */
const firstPauseMs = 100
const longestPauseMs = 30_000
/** Counts a process that has served for so long as healthy. */
const healthyMs = 60_000
/** Ends a process that has said nothing for so many seconds. It says something each second. */
const silentSecondsMax = 30
const measureMs = 1_000
/** Shorter than the time that the whole node has for its end. */
const closeMs = 9_000

/** Returns the pause before a process is replaced that has lived so long. */
function createBackOff(): (lifeMs: number) => number {
  let failures = 0
  return (lifeMs) => {
    failures = lifeMs > healthyMs ? 1 : failures + 1
    return Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1))
  }
}

/** Calls `onSilent` when nothing restarts it for too long. */
function watchSilence(onSilent: () => void) {
  let seconds = 0
  const timer = setInterval(() => {
    // Counted, so that a machine that was asleep does not make a process seem silent.
    seconds += 1
    if (seconds > silentSecondsMax) onSilent()
  }, 1_000).unref()
  return {
    restart() {
      seconds = 0
    },
    stop: () => clearInterval(timer),
  }
}

/** Creates a slot without a process. */
export function createProcessSlot({ fork, onEnd, log }: ProcessSlotDeps): ProcessSlot {
  let current: ForkedDelivery | undefined
  let figures: readonly MetricFigures[] = []
  // The ports of the process that has served. The system may have chosen them, and the next one has the same.
  let served: DeliveryPorts | undefined
  let isClosing = false
  let pause: NodeJS.Timeout | undefined
  const nextPauseMs = createBackOff()
  const silence = watchSilence(() => {
    if (current === undefined) return
    log.error('A delivery process does not respond, and is ended', { pid: current.pid })
    current.kill()
  })

  const begin = (ports: DeliveryPorts): ForkedDelivery => {
    const begunAt = performance.now()
    const forked = fork(ports)
    current = forked
    silence.restart()
    const replace = ({ code, signal }: ProcessEnd) => {
      current = undefined
      onEnd(figures)
      figures = []
      if (served === undefined || isClosing) return
      const afterMs = nextPauseMs(performance.now() - begunAt)
      const ended = { pid: forked.pid, state: String(code), signal, afterMs }
      log.warn('A delivery process has ended, and is replaced', ended)
      pause = setTimeout(begin, afterMs, served)
    }
    void forked.ended.then(replace)
    return forked
  }
  return {
    async start(ports) {
      const started = await begin(ports).started
      served = started.ports
      return started
    },
    send: (message) => current?.send(message),
    async measure() {
      figures = (await current?.measure(measureMs)) ?? figures
      return figures
    },
    noteLife: () => silence.restart(),
    drain(pauseMs) {
      isClosing = true
      current?.send({ type: 'drain', pauseMs })
    },
    async close() {
      isClosing = true
      clearTimeout(pause)
      silence.stop()
      const closing = current
      if (closing === undefined) return
      const cut = setTimeout(() => closing.kill(), closeMs)
      closing.send({ type: 'close' })
      await closing.ended
      clearTimeout(cut)
    },
    kill: () => current?.kill(),
  }
}
