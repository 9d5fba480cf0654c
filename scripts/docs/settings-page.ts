import { clientVariables, settingTable } from '../../packages/server/src/settings/setting-table.ts'
import { capacityTable } from '../../packages/server/src/http/admission/capacities.ts'
import { rateClassTable } from '../../packages/server/src/http/admission/rate-classes.ts'
import { table } from './markdown.ts'

/** The reference of the environment variables, from the table that parses them. */
export function renderSettingsPage(): string {
  return `# Settings

Environment variables are the only configuration of the service. Each also exists as \`<NAME>_FILE\`, which names a file with
the value: use it for secrets. The service refuses to start with a \`SIGNALBOX_\` variable that isn't in this list, and suggests the nearest known
name, so that a misspelled setting is never ignored. \`signalbox env\` prints every setting with its source and its masked value.

${settings()}

## Rate limits

The classes of \`SIGNALBOX_RATE_LIMITS\`, each with requests per second and the burst after a pause. Each node counts its own.

${rateLimits()}

## Capacities

The most that a node holds at the same time, by the names of \`SIGNALBOX_CAPACITY\`.

${capacities()}

## Not settings of the service

${clientVariables.map((name) => `\`${name}\``).join(', ')} belong to the command line and to applications, see [cli](../guide/cli.md)
and [clients](../guide/clients.md). They may be set beside the service.
`
}

function rateLimits(): string {
  return table(
    ['Class', 'Counts together', 'Default', 'Protects'],
    Object.entries(rateClassTable).map(([name, { limit, of, protects }]) => [
      `\`${name}\``,
      of,
      renderLimit(limit),
      protects,
    ]),
  )
}

function renderLimit({ perSecond, burst }: { perSecond: number; burst: number }): string {
  const format = (count: number) => count.toLocaleString('en')
  return Math.round(perSecond * 60) === burst
    ? `${format(burst)} a minute`
    : `${format(perSecond)}/${format(burst)}`
}

function capacities(): string {
  return table(
    ['Name', 'Limits', 'Default', 'Protects'],
    Object.entries(capacityTable).map(([name, { most, of, protects }]) => [
      `\`${name}\``,
      of,
      most.toLocaleString('en'),
      protects,
    ]),
  )
}

function settings(): string {
  return table(
    ['Variable', 'Left out', 'Meaning'],
    settingTable.map(({ name, defaultText, meaning, secret }) => [
      `\`${name}\``,
      defaultText,
      secret === true ? `${meaning} Secret.` : meaning,
    ]),
  )
}
