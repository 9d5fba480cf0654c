import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SignalboxOptions } from './options.ts'

/** What the page is read with: the props that `ConfigProvider` of `@signalbox/react` takes. */
export interface PagePlace {
  readonly baseUrl: string
  readonly apiKey: string
  readonly orgId: string
  readonly environment: string
}

/** What `options` leave out is in the environment, or in the project file. */
export function resolvePlace(
  options: SignalboxOptions,
  env: Readonly<Record<string, string>>,
  root: string,
): PagePlace {
  const apiKey = options.apiKey ?? env['SIGNALBOX_BROWSER_KEY']
  if (apiKey !== undefined && !apiKey.startsWith('sbx_b2m_')) {
    throw new Error(
      'signalbox: the key for the page is none for browsers. Whoever opens the page could read it: take one that begins with sbx_b2m_, and revoke this one if it was published.',
    )
  }
  return {
    environment: options.environment,
    baseUrl: required('baseUrl', options.baseUrl ?? env['SIGNALBOX_CONFIG_URL']).replace(/\/$/, ''),
    apiKey: required('apiKey', apiKey),
    orgId: required(
      'orgId',
      options.orgId ?? env['SIGNALBOX_ORGANIZATION'] ?? organizationOf(root),
    ),
  }
}

const variables = {
  baseUrl: 'SIGNALBOX_CONFIG_URL',
  apiKey: 'SIGNALBOX_BROWSER_KEY',
  orgId: 'SIGNALBOX_ORGANIZATION',
}

function required(option: keyof typeof variables, value: string | undefined): string {
  if (value !== undefined && value !== '') return value
  throw new Error(`signalbox: give the option ${option}, or set ${variables[option]}.`)
}

/** The organization that the next `.signalbox.json` at or above `folder` names. */
function organizationOf(folder: string): string | undefined {
  const file = join(folder, '.signalbox.json')
  if (existsSync(file)) {
    const project: { readonly organization?: string } = JSON.parse(readFileSync(file, 'utf8'))
    return project.organization
  }
  return dirname(folder) === folder ? undefined : organizationOf(dirname(folder))
}
