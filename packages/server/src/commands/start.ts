import type { Settings } from '../settings.ts'
import type { Service } from '../start/service.ts'
import { startService } from '../start/start-service.ts'
import { createLog } from '../telemetry/log.ts'
import { serverVersion } from '../version.ts'
import type { Command } from './command.ts'

/** Longer than any orderly stop takes. Whatever still holds the process then is cut. */
const stopWithinMs = 9_500

/** Starts the service, says where it is, and runs until it is asked to stop. */
export const startCommand: Command = async ({ settings, json, terminal }) => {
  const read = settings()
  const format = read.logFormat ?? (terminal.isTerminal ? 'pretty' : 'json')
  const log = createLog({ level: read.logLevel, format })
  const stopped = stopSignal()
  const service = await startService(read, log)
  if (json) terminal.out(renderStarted(service))
  else for (const line of renderWelcome(service, read)) terminal.out(line)
  await stopped
  log.info('The service stops')
  const cut = setTimeout(() => process.exit(1), stopWithinMs)
  await service.close()
  clearTimeout(cut)
  return 0
}

/** Resolves at the first request to stop; a second one does not wait. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    const stop = () => {
      if (asked) process.exit(1)
      asked = true
      resolve()
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
}

/** One line of JSON, for whoever starts the service from a program. */
function renderStarted({ apiUrl, configUrl, setupUrl, notices }: Service): string {
  return JSON.stringify({ event: 'started', apiUrl, configUrl, setupUrl, notices })
}

/** What a person wants to know first, with room around it. */
function renderWelcome(
  { apiUrl, configUrl, setupUrl, notices }: Service,
  { dataDir, databaseUrl }: Settings,
): string[] {
  const database = databaseUrl === undefined ? 'embedded PostgreSQL' : 'PostgreSQL of DATABASE_URL'
  const rows = [
    ['Dashboard', apiUrl],
    ['Delivery', configUrl],
    ['Data', `${dataDir} (${database})`],
  ].filter((row): row is [string, string] => row[1] !== undefined)
  return [
    '',
    `  Signalbox ${serverVersion} is ready`,
    '',
    ...rows.map(([name, text]) => `  ${name.padEnd(12)}${text}`),
    ...notices.map((notice) => `  ${'Note'.padEnd(12)}${notice}`),
    ...(setupUrl === undefined
      ? []
      : ['', `  ${'Set it up'.padEnd(12)}${setupUrl}   (works once)`]),
    '',
  ]
}
