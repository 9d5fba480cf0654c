import { ConfigError } from '@signalbox/config/client'

/** Describes the configuration to read, by names or ids, and the key to read it with. */
export interface ConfigSource {
  /** The environment by name or id. Example: `production`. */
  readonly environment: string
  /** The address that serves snapshots. Default: `SIGNALBOX_CONFIG_URL`. Example: `https://config.example.com`. */
  readonly baseUrl?: string | undefined
  /** Default: `SIGNALBOX_BROWSER_KEY` for public values, `SIGNALBOX_TOKEN` for those with secrets. */
  readonly apiKey?: string | undefined
  /** The organization by name or id. Default: `SIGNALBOX_ORGANIZATION`. Example: `acme`. */
  readonly orgId?: string | undefined
  /** The schema by name or id. Needed when the key may read several. */
  readonly schema?: string | undefined
}

/** Describes a source with every default filled in. */
export interface ResolvedSource {
  readonly environment: string
  readonly baseUrl: string
  readonly apiKey: string
  readonly orgId: string
  readonly schema: string | undefined
}

/** Maps each kind of key to its environment variable, its prefix and its name. */
const keys = {
  browser: { variable: 'SIGNALBOX_BROWSER_KEY', prefix: 'sbx_b2m_', name: 'a browser key' },
  server: {
    variable: 'SIGNALBOX_TOKEN',
    prefix: '',
    name: 'a server key (sbx_m2m_…) or an access token',
  },
} as const

/**
 * Fills in missing options from the environment variables.
 *
 * @throws {ConfigError} `invalid` for an option that is missing everywhere; `forbidden` for a key that reads secrets
 * where values are public: Next.js would keep the response on its disk.
 */
export function resolveSource(configSource: ConfigSource, kind: keyof typeof keys): ResolvedSource {
  const { variable, prefix, name } = keys[kind]
  const apiKey = required('apiKey', variable, configSource.apiKey)
  if (!apiKey.startsWith(prefix)) {
    throw new ConfigError(
      'forbidden',
      `getConfig reads public values and needs ${name} (${prefix}…). getServerConfig needs a server key.`,
    )
  }
  return {
    environment: required('environment', 'SIGNALBOX_ENVIRONMENT', configSource.environment),
    baseUrl: required('baseUrl', 'SIGNALBOX_CONFIG_URL', configSource.baseUrl).replace(/\/$/, ''),
    apiKey,
    orgId: required('orgId', 'SIGNALBOX_ORGANIZATION', configSource.orgId),
    schema: configSource.schema,
  }
}

function required(option: string, variable: string, optionValue: string | undefined): string {
  const value = optionValue || process.env[variable]
  if (value) return value
  throw new ConfigError('invalid', `The option ${option} is empty, and ${variable} is not set`)
}

/** Returns the path of the snapshot below `baseUrl`. It holds no key, and ends with `&`, so that one may follow. */
export function snapshotPath({ orgId, environment, schema }: ResolvedSource): string {
  const query = new URLSearchParams({ environment, ...(schema !== undefined && { schema }) })
  return `/organizations/${encodeURIComponent(orgId)}/config/snapshot?${query}&`
}

/** Returns the address of the snapshot. It holds no key. */
export function snapshotAddress(configSource: ResolvedSource): string {
  return configSource.baseUrl + snapshotPath(configSource).slice(0, -1)
}

/** Names a source in a message. Example: `schema web, environment production, organization acme`. */
export function describeSource({ orgId, environment, schema }: ResolvedSource): string {
  const names = `environment ${environment}, organization ${orgId}`
  return schema === undefined ? names : `schema ${schema}, ${names}`
}
