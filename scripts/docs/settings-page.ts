import { clientVariables, settingTable } from '../../packages/server/src/setting-table.ts'
import { generatedFrom, table } from './markdown.ts'

/** The reference of the environment variables, from the table that parses them. */
export function renderSettingsPage(): string {
  return `${generatedFrom('packages/server/src/setting-table.ts')}

# Settings

The service is configured by environment variables and nothing else. Each also exists as \`<NAME>_FILE\`, which names a file that holds
the value: use it for what is marked as secret. A \`SIGNALBOX_\` variable that is not in this list stops the start, with the nearest known
name, so that a misspelled setting is never ignored. \`signalbox env\` prints every setting with its source and its masked value.

${settings()}

## Not settings of the service

${clientVariables.map((name) => `\`${name}\``).join(', ')} belong to the command line and to applications, see [cli](../guide/cli.md)
and [clients](../guide/clients.md). They may be set beside the service.
`
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
