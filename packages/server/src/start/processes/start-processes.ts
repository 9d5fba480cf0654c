import { createServer } from 'node:net'
import type { ProcessKit } from '../../kit.ts'
import { addCounts, type MetricFigures } from '../../telemetry/join-figures.ts'
import { drainAll } from '../listeners/drain-all.ts'
import type { DeliveringService, DeliveryPorts } from '../service.ts'
import { createCountHub } from './count-hub.ts'
import { forkDelivery } from './fork-delivery.ts'
import type { FromProcess, ProcessStarted, ToProcess } from './messages.ts'
import { createProcessSlot, type ProcessSlot } from './process-slot.ts'

/** Reads the metrics so often, so that a process that ends takes hardly any counts with it. */
const measureEveryMs = 5_000

/**
 * Starts a node whose delivery runs in several processes, which share its ports. This process serves nothing: it replaces those
 * that end, passes on what they count, and joins their metrics.
 */
export async function startProcesses(kit: ProcessKit): Promise<DeliveringService> {
  const { settings, log, stop } = kit
  const { host, deliveryPort: delivery, flagdPort: flagd, deliveryProcesses: processes } = settings
  await assertFree(host, [delivery, flagd])
  const slots = openSlots(kit, processes)
  const killAll = () => slots.forEach((slot) => slot.kill())
  const closeAll = async () => {
    await Promise.all(slots.map((slot) => slot.close()))
    process.off('exit', killAll)
  }
  // The end of a stop that takes too long, after which nothing would end them.
  process.once('exit', killAll)
  const giveUp = () => void closeAll()
  stop.addEventListener('abort', giveUp)
  try {
    const started = await startAll(slots, { delivery, flagd })
    stop.throwIfAborted()
    log.info('Delivers in several processes', { count: processes, port: started.ports.delivery })
    return {
      apiUrl: undefined,
      configUrl: started.url,
      ports: started.ports,
      setupUrl: undefined,
      notices: [...started.notices, `The delivery runs in ${processes} processes.`],
      drain: (pauseMs) => drainAll(slots, pauseMs),
      close: closeAll,
    }
  } catch (error) {
    await closeAll()
    throw error
  } finally {
    stop.removeEventListener('abort', giveUp)
  }
}

/** Starts the first process alone: it makes the directories, and chooses the ports that are left to choose. */
async function startAll(
  [first, ...others]: readonly ProcessSlot[],
  ports: DeliveryPorts,
): Promise<ProcessStarted> {
  if (first === undefined) throw new Error('There is no process to start')
  const started = await first.start(ports)
  await Promise.all(others.map((slot) => slot.start(started.ports)))
  return started
}

/** Opens a slot for each process, and connects them with each other and with the metrics of this process. */
function openSlots(
  { settings, log, metrics }: ProcessKit,
  processes: number,
): readonly ProcessSlot[] {
  let ended: Promise<readonly MetricFigures[]> = Promise.resolve([])
  const sendOthers = (from: number, message: ToProcess) => {
    for (const [index, slot] of slots.entries()) if (index !== from) slot.send(message)
  }
  const hub = createCountHub(processes, (to, from, counts) =>
    slots[to]?.send({ type: 'counts', from, counts }),
  )
  const receive = (from: number, message: FromProcess) => {
    slots[from]?.noteLife()
    if (message.type === 'counts') hub.receive(from, message.counts)
    if (message.type === 'status') sendOthers(from, { ...message, from })
  }
  const openSlot = (index: number) =>
    createProcessSlot({
      fork(ports) {
        const start = { index, processes, ports }
        const forked = forkDelivery({ start, settings }, (message) => receive(index, message))
        // Once it is the process of its slot.
        queueMicrotask(() => hub.introduce(index))
        return forked
      },
      onEnd(figures) {
        hub.forget(index)
        sendOthers(index, { type: 'left', from: index })
        ended = ended.then((counts) => addCounts(counts, figures))
      },
      log,
    })
  const slots: readonly ProcessSlot[] = Array.from({ length: processes }, (_, index) =>
    openSlot(index),
  )
  const measure = async () => {
    const figures = await Promise.all(slots.map((slot) => slot.measure()))
    return [...figures, await ended]
  }
  metrics.joinProcesses(measure)
  setInterval(() => void measure(), measureEveryMs).unref()
  return slots
}

/**
 * Fails as a second program on a port does. The processes share theirs, so the system would let another node join them unnoticed,
 * and half of its readers would reach the wrong one.
 */
async function assertFree(host: string, ports: readonly (number | undefined)[]): Promise<void> {
  for (const port of ports) {
    if (port === undefined || port === 0) continue
    await new Promise<void>((resolve, reject) => {
      const server = createServer().once('error', reject)
      server.listen({ host, port }, () => server.close(() => resolve()))
    })
  }
}
