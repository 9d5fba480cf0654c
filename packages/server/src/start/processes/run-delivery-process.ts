import type { DeliveryStatus } from '../../delivery/delivery.ts'
import { createSharedCounts, type SharedCounts } from '../../http/admission/node-counts.ts'
import { OperatorError } from '../../store/operator-error.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { openLog } from '../../telemetry/open-log.ts'
import { findDeliveryStart } from '../find-delivery-start.ts'
import { openProcess } from '../open-process.ts'
import type { DeliveringService } from '../service.ts'
import { joinStatus, type ShareStatus } from './join-status.ts'
import type { Begin, FromProcess, ProcessFailure, ToProcess } from './messages.ts'

/** Tells the others how it is doing so often. */
const statusEveryMs = 1_000
/** Tells the parent so often that it lives, also while it starts. */
const aliveEveryMs = 1_000
/** Ends a stop that takes longer. */
const stopWithinMs = 9_500

function send(message: FromProcess): void {
  // A failure means that the parent has ended, which `disconnect` tells.
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}

/** Shares the status of this process with the others, whose statuses it holds. */
function shareStatus(others: ReadonlyMap<number, DeliveryStatus>): ShareStatus {
  return (readOwn) => {
    setInterval(() => send({ type: 'status', status: readOwn() }), statusEveryMs).unref()
    return () => joinStatus(readOwn(), others.values())
  }
}

/** Holds what the messages of the parent change and ask for. */
interface Running {
  readonly counts: SharedCounts
  readonly others: Map<number, DeliveryStatus>
  readonly stop: () => void
  /** Undefined while it starts, as is the service. */
  metrics?: Metrics
  service?: DeliveringService
}

let running: Running | undefined

/**
 * Runs one of the processes of a node that delivers: its parent says with what it begins, and when it stops. Calls
 * `releaseYoungGeneration` once it serves.
 */
export function runDeliveryProcess(releaseYoungGeneration: () => void): void {
  process.on('message', (message: ToProcess) => {
    if (message.type === 'begin') void begin(message, releaseYoungGeneration)
    else if (running !== undefined) receive(message, running)
  })
}

function receive(message: Exclude<ToProcess, Begin>, to: Running): void {
  switch (message.type) {
    case 'counts':
      return to.counts.receive(message.from, message.counts)
    case 'status':
      return void to.others.set(message.from, message.status)
    case 'left':
      to.others.delete(message.from)
      return to.counts.forget(message.from)
    case 'measure':
      return void measure(message.id, to)
    case 'drain':
      return void to.service?.drain(message.pauseMs)
    case 'close':
      return to.stop()
    default:
      return message satisfies never
  }
}

async function measure(id: number, { metrics }: Running): Promise<void> {
  const figures = await metrics?.listFigures()
  send({ type: 'measured', id, figures: figures ?? [] })
}

async function begin({ start, settings }: Begin, whenServing: () => void): Promise<void> {
  const stopping = new AbortController()
  const stop = () => {
    if (!stopping.signal.aborted) setTimeout(() => process.exit(1), stopWithinMs).unref()
    stopping.abort()
  }
  process.once('disconnect', stop)
  setInterval(() => send({ type: 'alive' }), aliveEveryMs).unref()
  const counts = createSharedCounts(start.processes, (changes) =>
    send({ type: 'counts', counts: changes }),
  )
  running = { counts, others: new Map(), stop }
  try {
    await run(running, { start, settings, stop: stopping.signal, whenServing })
  } catch (error) {
    send({ type: 'failed', failure: toFailure(error) })
    process.exitCode = 1
  }
  // Nothing else keeps it, once it serves no more.
  if (process.connected) process.disconnect()
}

interface Run extends Omit<Begin, 'type'> {
  readonly stop: AbortSignal
  readonly whenServing: () => void
}

/** Serves until it is stopped. */
async function run(to: Running, { start, settings, stop, whenServing }: Run): Promise<void> {
  const { index, ports } = start
  const log = await openLog(settings, { isTerminal: process.stdout.isTTY })
  const sharedNode = { counts: to.counts, writesDisk: index === 0 }
  const own = { ...settings, deliveryPort: ports.delivery, flagdPort: ports.flagd }
  const kit = openProcess(own, log, stop, sharedNode)
  to.metrics = kit.metrics
  const stopped = new Promise((resolve) => {
    stop.addEventListener('abort', resolve, { once: true })
  })
  const startDelivery = await findDeliveryStart(settings)
  if (startDelivery === undefined) throw new Error('This process has other roles than delivery')
  const service = await startDelivery(kit, shareStatus(to.others))
  to.service = service
  whenServing()
  const { configUrl: url, notices } = service
  send({ type: 'started', started: { ports: service.ports, url, notices } })
  if (!stop.aborted) await stopped
  await service.close()
}

function toFailure(error: unknown): ProcessFailure {
  if (error instanceof OperatorError) {
    const { message, code, advice } = error
    return { message, code, advice }
  }
  return {
    message: error instanceof Error ? error.message : String(error),
    code: 'failed',
    advice: undefined,
  }
}
