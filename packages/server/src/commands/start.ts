import type { Settings } from '../settings.ts'
import type { Service } from '../start/service.ts'
import { startService } from '../start/start-service.ts'
import type { Log } from '../telemetry/log.ts'
import { openLog } from '../telemetry/open-log.ts'
import type { Command } from './command.ts'
import { pauseBeforeStop, renderWelcome } from './welcome.ts'

/** Longer than any orderly stop takes, counted from the end of the pause before it. Whatever still holds the process then is cut. */
const stopWithinMs = 9_500

/** Starts the service, prints its addresses, and runs until a signal stops it. */
export const startCommand: Command = async ({
  settings,
  json,
  terminal,
  releaseYoungGeneration,
}) => {
  const read = settings()
  const log = await openLog(read, terminal)
  const stopping = stopSignal()
  const { signal: stop } = stopping
  const service = await startUnlessStopped(read, log, stop)
  releaseYoungGeneration?.()
  if (service === undefined) {
    log.info('Stopped before the start was complete')
    return 0
  }
  if (json) terminal.out(renderStarted(service))
  else for (const line of renderWelcome(service, read, terminal)) terminal.out(line)
  const pauseMs = pauseBeforeStop(read, terminal)
  stopping.pauseMs = pauseMs
  await aborted(stop)
  log.info('Stopping', pauseMs === 0 ? {} : { seconds: pauseMs / 1_000 })
  if (pauseMs > 0) await service.drain(pauseMs)
  await service.close()
  return 0
}

/** Returns no service when a signal stopped it before it was started. */
async function startUnlessStopped(
  settings: Settings,
  log: Log,
  stop: AbortSignal,
): Promise<Service | undefined> {
  try {
    return await startService(settings, log, stop)
  } catch (error) {
    if (stop.aborted) return undefined
    throw error
  }
}

interface Stopping {
  readonly signal: AbortSignal
  /** Added to the time that a stop may take. */
  pauseMs: number
}

/** Aborts at the first request to stop, from when on the process has its time and no more; a second one does not wait. */
function stopSignal(): Stopping {
  const controller = new AbortController()
  const stopping: Stopping = { signal: controller.signal, pauseMs: 0 }
  const stop = () => {
    if (controller.signal.aborted) process.exit(1)
    setTimeout(() => process.exit(1), stopping.pauseMs + stopWithinMs).unref()
    controller.abort()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // A parent process that started it with a channel has ended when that closes, and nothing else would stop this one.
  process.once('disconnect', stop)
  process.channel?.unref()
  return stopping
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

/** Renders one line of JSON, for programs that start the service. */
function renderStarted({ apiUrl, configUrl, metricsUrl, setupUrl, notices }: Service): string {
  return JSON.stringify({ event: 'started', apiUrl, configUrl, metricsUrl, setupUrl, notices })
}
