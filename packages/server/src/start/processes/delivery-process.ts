import type { DeliveryStatus } from '../../delivery/delivery.ts'
import { createSharedCounts, type SharedCounts } from '../../http/admission/node-counts.ts'
import { readSettings } from '../../settings.ts'
import { OperatorError } from '../../store/operator-error.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { openLog } from '../../telemetry/open-log.ts'
import { findDeliveryStart } from '../find-delivery-start.ts'
import { openProcess } from '../open-process.ts'
import type { DeliveringService } from '../service.ts'
import { holdYoungGeneration } from '../young-generation.ts'
import { joinStatus, type ShareStatus } from './join-status.ts'
import type { FromProcess, ProcessFailure, ProcessStart, ToProcess } from './messages.ts'

/**
 * Runs one of the processes of a node that delivers. Its parent starts it, tells it when to stop, and has the signals: those that
 * a terminal or a supervisor sends to all processes are ignored here.
 */
process.on('SIGTERM', () => {})
process.on('SIGINT', () => {})

/** Tells the others how it is doing so often, and the parent that it lives. */
const statusEveryMs = 1_000
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

interface Received {
  readonly counts: SharedCounts
  readonly others: Map<number, DeliveryStatus>
  readonly metrics: Metrics
  /** Undefined while it starts. */
  readonly service: () => DeliveringService | undefined
  readonly stop: () => void
}

function receive(message: ToProcess, { counts, others, metrics, service, stop }: Received): void {
  switch (message.type) {
    case 'counts':
      return counts.receive(message.from, message.counts)
    case 'status':
      return void others.set(message.from, message.status)
    case 'left':
      others.delete(message.from)
      return counts.forget(message.from)
    case 'measure':
      return void metrics
        .listFigures()
        .then((figures) => send({ type: 'measured', id: message.id, figures }))
    case 'drain':
      return void service()?.drain(message.pauseMs)
    case 'close':
      return stop()
    default:
      return message satisfies never
  }
}

async function run(): Promise<void> {
  const { index, processes, ports }: ProcessStart = JSON.parse(process.argv[2] ?? '')
  const releaseYoungGeneration = holdYoungGeneration()
  const settings = { ...readSettings(), deliveryPort: ports.delivery, flagdPort: ports.flagd }
  const log = await openLog(settings, { isTerminal: process.stdout.isTTY })
  const counts = createSharedCounts(processes, (message) =>
    send({ type: 'counts', counts: message }),
  )
  const stopping = new AbortController()
  const sharedNode = { counts, writesDisk: index === 0 }
  const kit = openProcess(settings, log, stopping.signal, sharedNode)
  const others = new Map<number, DeliveryStatus>()
  const stop = () => {
    if (!stopping.signal.aborted) setTimeout(() => process.exit(1), stopWithinMs).unref()
    stopping.abort()
  }
  let service: DeliveringService | undefined
  const received = { counts, others, metrics: kit.metrics, service: () => service, stop }
  process.on('message', (message: ToProcess) => receive(message, received))
  process.once('disconnect', stop)
  const stopped = new Promise((resolve) => {
    stopping.signal.addEventListener('abort', resolve, { once: true })
  })
  const start = await findDeliveryStart(settings)
  if (start === undefined) throw new Error('This process has other roles than delivery')
  service = await start(kit, shareStatus(others))
  releaseYoungGeneration()
  const { ports: opened, configUrl: url, notices } = service
  send({ type: 'started', started: { ports: opened, url, notices } })
  await stopped
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

try {
  await run()
} catch (error) {
  send({ type: 'failed', failure: toFailure(error) })
  process.exitCode = 1
}
// Nothing else keeps it, once it serves no more.
if (process.connected) process.disconnect()
