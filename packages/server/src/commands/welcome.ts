import { styleText } from 'node:util'
import { isFedByOthers, type Settings } from '../settings.ts'
import type { Service } from '../start/service.ts'
import { serverVersion } from '../telemetry/version.ts'
import type { Terminal } from './command.ts'

type Started = Pick<Service, 'apiUrl' | 'configUrl' | 'metricsUrl' | 'setupUrl' | 'notices'>

/** Holds the settings that say where the data of a process comes from. */
type Origin = Pick<Settings, 'dataDir' | 'databaseUrl' | 'roles' | 'relay' | 'nats'>

/** Renders the addresses and next steps for a person, with empty lines around them. */
export function renderWelcome(
  { apiUrl, configUrl, metricsUrl, setupUrl, notices }: Started,
  settings: Origin,
  { isTerminal }: Pick<Terminal, 'isTerminal'>,
): string[] {
  const rows = [
    ['Dashboard', apiUrl],
    ['Delivery', configUrl],
    ['Metrics', metricsUrl],
    ['Guide', apiUrl === undefined ? undefined : `${apiUrl}/docs/guide`],
    ...describeOrigin(settings),
    ...notices.map((notice) => ['Note', notice]),
  ]
  // A node that others feed may have nothing to serve yet: its readiness is in /readyz.
  const state = isFedByOthers(settings) ? 'is running' : 'is ready'
  const setUp = setupUrl === undefined ? [] : ['', row('Set it up', `${setupUrl}   (works once)`)]
  return [
    '',
    `  ${styleText('bold', `Signalbox ${serverVersion} ${state}`)}`,
    '',
    ...rows.flatMap(([name = '', text]) => (text === undefined ? [] : [row(name, text)])),
    ...setUp,
    ...(isTerminal ? ['', styleText('dim', '  Ctrl+C stops it.')] : []),
    '',
  ]
}

/** Returns the rows that say what is served: the data, and who feeds a node without a database. */
function describeOrigin(settings: Origin): string[][] {
  const { dataDir, relay, nats } = settings
  if (relay !== undefined) {
    return [
      ['Upstream', 'url' in relay ? relay.url : relay.file],
      ['Cache', dataDir],
    ]
  }
  if (nats !== undefined && isFedByOthers(settings)) {
    return [
      ['NATS', `${nats.servers.join(', ')} (group ${nats.group})`],
      ['Cache', dataDir],
    ]
  }
  const database = hasEmbeddedDatabase(settings)
    ? 'embedded PostgreSQL'
    : 'PostgreSQL of DATABASE_URL'
  return [['Data', `${dataDir} (${database})`]]
}

function row(name: string, text: string): string {
  return `  ${styleText('dim', name.padEnd(12))}${text}`
}

/**
 * Returns for how long a node serves on after the signal to stop, in milliseconds, so that a load balancer notices. With an
 * embedded database there is no other node that it could choose.
 */
export function pauseBeforeStop(
  settings: Origin & Pick<Settings, 'drainSeconds'>,
  { isTerminal }: Pick<Terminal, 'isTerminal'>,
): number {
  const mayHaveOthers = !isTerminal && !hasEmbeddedDatabase(settings)
  return (settings.drainSeconds ?? (mayHaveOthers ? 5 : 0)) * 1_000
}

function hasEmbeddedDatabase(settings: Origin): boolean {
  return settings.databaseUrl === undefined && !isFedByOthers(settings)
}
