/** Returns the first commands of a new user. */
export function firstCommands(serverUrl: string, environment: string): string {
  return [
    'npm install ../signalbox/packages/config ../signalbox/packages/cli # where your clone is',
    `npx --no-install signalbox login --server ${serverUrl}`,
    'npx --no-install signalbox init',
    `npx --no-install signalbox push --env ${environment}`,
  ].join('\n')
}

/** Returns a first program that reads a value. */
export function firstProgram(
  configUrl: string,
  environment: { readonly id: string; readonly name: string } | undefined,
): string {
  return [
    "import { createConfigClient } from '@signalbox/config/client'",
    '',
    'const config = createConfigClient({',
    `  serverUrl: '${configUrl}',`,
    "  token: process.env.SIGNALBOX_TOKEN ?? '',",
    "  schemaId: 'sch_…', // printed by the push",
    `  environmentId: '${environment?.id ?? 'env_…'}', // ${environment?.name ?? ''}`,
    '})',
    '',
    "await config.get('apiUrl')",
    "await config.flag('newCheckout')",
  ].join('\n')
}
