import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SignalboxOptions } from './options.ts'

/** Describes what the page is read with: the props that `ConfigProvider` of `@signalbox/react` takes. */
export interface PageSource {
  readonly baseUrl: string
  readonly apiKey: string
  readonly orgId: string
  readonly environment: string
  readonly schema?: string
}

/** Fills in missing options from the environment, or from the project file. */
export function resolvePageSource(
  options: SignalboxOptions,
  env: Readonly<Record<string, string>>,
  root: string,
): PageSource {
  const apiKey = options.apiKey ?? env['SIGNALBOX_BROWSER_KEY']
  if (apiKey !== undefined && !apiKey.startsWith('sbx_b2m_')) {
    throw new Error(
      'signalbox: the key for the page is not a browser key, so every visitor could read it. Use a key that begins with sbx_b2m_, and revoke this one if it was published.',
    )
  }
  const project = projectOf(root)
  const schema = options.schema ?? project.schema
  return {
    environment: options.environment,
    baseUrl: required('baseUrl', options.baseUrl ?? env['SIGNALBOX_CONFIG_URL']).replace(/\/$/, ''),
    apiKey: required('apiKey', apiKey),
    orgId: required(
      'orgId',
      options.orgId ?? env['SIGNALBOX_ORGANIZATION'] ?? project.organization,
    ),
    ...(schema !== undefined && { schema }),
  }
}

const variables = {
  baseUrl: 'SIGNALBOX_CONFIG_URL',
  apiKey: 'SIGNALBOX_BROWSER_KEY',
  orgId: 'SIGNALBOX_ORGANIZATION',
}

function required(option: keyof typeof variables, value: string | undefined): string {
  if (value !== undefined && value !== '') return value
  throw new Error(`signalbox: set the option ${option}, or ${variables[option]}.`)
}

/** Describes the members of `.signalbox.json` that are used. */
interface Project {
  readonly organization?: string
  readonly schema?: string
}

/**
 * Returns the content of the closest `.signalbox.json` at or above `folder`, or an empty object.
 *
 * @throws {Error} for one that cannot be read, by its path
 */
function projectOf(folder: string): Project {
  const file = join(folder, '.signalbox.json')
  if (existsSync(file)) return readProject(file)
  return dirname(folder) === folder ? {} : projectOf(dirname(folder))
}

function readProject(file: string): Project {
  const project = parseObject(readFileSync(file, 'utf8'))
  if (project === undefined) throw new Error(`signalbox: ${file} is not a JSON object.`)
  const { organization, schema } = project
  return {
    ...(typeof organization === 'string' && { organization }),
    ...(typeof schema === 'string' && { schema }),
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}
