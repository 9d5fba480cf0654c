import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { nearestName } from '@signalbox/contract'
import { readAuditSettings, type AuditSettings } from './audit/outlets/outlet-settings.ts'
import { createAddressGuard } from './egress/address-guard.ts'
import { defaultCapacities, parseCapacities, type Capacities } from './http/admission/capacities.ts'
import { createClientAddress } from './http/admission/client-address.ts'
import {
  defaultRateLimits,
  parseRateLimits,
  type RateLimits,
} from './http/admission/rate-classes.ts'
import { readNatsSettings, type NatsSettings } from './settings/nats-settings.ts'
import { readDeliveryProcesses } from './settings/delivery-processes.ts'
import { readOidcSettings, type OidcSettings } from './settings/oidc-settings.ts'
import { readProviderSettings, type ProviderSettings } from './settings/provider-settings.ts'
import { readRelaySettings, type RelaySettings } from './settings/relay-settings.ts'
import { clientVariables, settingTable, type SettingDefinition } from './settings/setting-table.ts'

/** Lists the roles of a process. A relay has no other one, and no database. */
export const processRoles = ['api', 'worker', 'delivery', 'relay'] as const
/** Lists the roles of a process without a setting. */
const defaultRoles = ['api', 'worker', 'delivery'] as const
/** Names a role of a process. */
export type ProcessRole = (typeof processRoles)[number]

const mib = 1024 * 1024

/** Waits longer than any load balancer takes to notice. */
const drainSecondsMax = 300

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** Holds all settings of a process, parsed and checked. */
export interface Settings {
  readonly host: string
  /** 0: any free port. */
  readonly apiPort: number
  readonly deliveryPort: number
  /** Undefined: there is no sync service for flagd. */
  readonly flagdPort: number | undefined
  /** Counts the processes that share the ports of the delivery. */
  readonly deliveryProcesses: number
  /** Undefined: metrics and health are at the addresses of the API and the delivery alone. */
  readonly metricsPort: number | undefined
  readonly publicUrl: string | undefined
  readonly configUrl: string | undefined
  readonly dataDir: string
  /** Undefined: the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined
  /** Undefined: every connection goes to the database itself. */
  readonly poolUrl: string | undefined
  /** Names the directory of the programs that run the embedded database. Undefined: those of the npm package. */
  readonly postgresBin: string | undefined
  readonly roles: ReadonlySet<ProcessRole>
  /** Undefined: this process is no relay. */
  readonly relay: RelaySettings | undefined
  /** Undefined: this process does not use NATS. */
  readonly nats: NatsSettings | undefined
  /** The active key first; base64url. Empty: the key file of the data directory. */
  readonly rootKeys: readonly string[]
  readonly bootstrapToken: string | undefined
  /** Undefined: as `commands/start.ts` chooses. */
  readonly drainSeconds: number | undefined
  readonly logLevel: (typeof logLevels)[number]
  readonly logFormat: 'pretty' | 'json' | undefined
  readonly rateLimits: RateLimits
  readonly capacities: Capacities
  readonly trustedProxies: readonly string[]
  /** Hosts, addresses and networks that outbound calls may reach although they are not public. */
  readonly egressAllow: readonly string[]
  /** Limits the current snapshots, which every delivery node keeps in memory. */
  readonly publishedLimits: {
    readonly perOrganizationBytes: number
    readonly perServerBytes: number
  }
  readonly organizationsPerPerson: number
  readonly providers: ProviderSettings
  readonly oidc: OidcSettings
  readonly audit: AuditSettings
  /** The `PATH` of the process, in which programs are looked up. */
  readonly searchPath: string
}

/** Describes a setting as `signalbox env` shows it. `value` is masked when it is a secret. */
export interface ShownSetting {
  readonly name: string
  readonly source: 'default' | 'environment' | 'file'
  readonly value: string
  readonly meaning: string
}

/** Lists everything that is wrong with the settings, one line each, so that one start shows all of it. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly headline = 'The settings are not valid.'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(['The settings are not valid:', ...faults].join('\n  - '))
    this.faults = faults
  }
}

type Variables = Readonly<Record<string, string | undefined>>

interface SettingText {
  readonly text: string
  readonly source: 'environment' | 'file'
}

/** Reads one setting from `<NAME>`, or from the file that `<NAME>_FILE` names. An empty variable counts as left out. */
function findSettingText(
  variables: Variables,
  name: string,
  faults: string[],
): SettingText | undefined {
  const direct = variables[name]
  const file = variables[`${name}_FILE`]
  if (direct !== undefined && direct !== '') {
    if (file !== undefined && file !== '') faults.push(`Give ${name} or ${name}_FILE, not both.`)
    return { text: direct, source: 'environment' }
  }
  if (file === undefined || file === '') return undefined
  try {
    return { text: readFileSync(file, 'utf8').trim(), source: 'file' }
  } catch {
    faults.push(`Cannot read ${file}, which ${name}_FILE names.`)
    return undefined
  }
}

/**
 * Reads and checks every setting.
 *
 * @throws {SettingsError} naming each fault: an unknown `SIGNALBOX_` variable, a value out of range, two sources for one.
 */
export function readSettings(
  variables: Variables = process.env,
  directory = process.cwd(),
): Settings {
  const faults: string[] = [...unknownVariables(variables)]
  const texts = new Map<string, string>()
  for (const { name } of settingTable) {
    const setting = findSettingText(variables, name, faults)
    if (setting !== undefined) texts.set(name, setting.text)
  }
  const reader = new Reader(texts, faults)
  const databaseUrl = reader.databaseUrl()
  const roles = reader.roles()
  const settings: Settings = {
    host: texts.get('SIGNALBOX_HOST') ?? '127.0.0.1',
    apiPort: reader.port('SIGNALBOX_API_PORT', 4400),
    deliveryPort: reader.port('SIGNALBOX_DELIVERY_PORT', 4401),
    flagdPort: reader.optionalPort('SIGNALBOX_FLAGD_PORT'),
    deliveryProcesses: readDeliveryProcesses(texts, { roles }, faults),
    metricsPort: reader.optionalPort('SIGNALBOX_METRICS_PORT'),
    publicUrl: reader.address('SIGNALBOX_PUBLIC_URL'),
    configUrl: reader.address('SIGNALBOX_CONFIG_URL'),
    dataDir: resolve(directory, texts.get('SIGNALBOX_DATA_DIR') ?? '.signalbox'),
    databaseUrl,
    poolUrl: reader.poolUrl(databaseUrl),
    postgresBin: reader.postgresBin(directory, databaseUrl),
    roles,
    relay: readRelaySettings(texts, roles, faults),
    nats: readNatsSettings(texts, roles, faults),
    rootKeys: reader.rootKeys(),
    bootstrapToken: reader.bootstrapToken(),
    drainSeconds: reader.drainSeconds(),
    logLevel: reader.oneOf('SIGNALBOX_LOG_LEVEL', logLevels) ?? 'info',
    logFormat: reader.oneOf('SIGNALBOX_LOG_FORMAT', ['pretty', 'json']),
    rateLimits: reader.rateLimits(),
    capacities: reader.capacities(),
    trustedProxies: reader.trustedProxies(),
    egressAllow: reader.egressAllow(),
    publishedLimits: {
      perOrganizationBytes: reader.count('SIGNALBOX_PUBLISHED_MIB_PER_ORGANIZATION', 64) * mib,
      perServerBytes: reader.count('SIGNALBOX_PUBLISHED_MIB', 512) * mib,
    },
    organizationsPerPerson: reader.count('SIGNALBOX_ORGANIZATIONS_PER_PERSON', 10),
    providers: readProviderSettings(texts, faults),
    oidc: readOidcSettings(texts, faults),
    audit: readAuditSettings(texts, faults),
    searchPath: variables['PATH'] ?? '',
  }
  if (lacksRootKey(settings)) {
    faults.push(
      'SIGNALBOX_ROOT_KEY is required with DATABASE_URL. Make one with: node -p "crypto.randomBytes(32).toString(\'base64url\')" and keep it apart from the database.',
    )
  }
  if (faults.length > 0) throw new SettingsError(faults)
  return settings
}

/** Returns whether the root key is missing. A process that only delivers serves browsers without it; others need it. */
function lacksRootKey({ databaseUrl, roles, rootKeys }: Settings): boolean {
  const seals = roles.has('api') || roles.has('worker')
  return databaseUrl !== undefined && seals && rootKeys.length === 0
}

/** Returns the faults for which `readSettings` would throw, one line each. */
export function findSettingFaults(variables: Variables = process.env): readonly string[] {
  try {
    readSettings(variables)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.faults
    throw error
  }
}

/** Returns every setting with its source and its value, secrets masked. */
export function showSettings(variables: Variables = process.env): ShownSetting[] {
  return settingTable.map((definition) => {
    const setting = findSettingText(variables, definition.name, [])
    return {
      name: definition.name,
      source: setting?.source ?? 'default',
      value: setting === undefined ? definition.defaultText : mask(definition, setting.text),
      meaning: definition.meaning,
    }
  })
}

function mask(definition: SettingDefinition, text: string): string {
  return definition.secret ? `set (${text.length} characters)` : text
}

function unknownVariables(variables: Variables): string[] {
  const known = new Set([
    ...settingTable.flatMap(({ name }) => [name, `${name}_FILE`]),
    ...clientVariables,
  ])
  return Object.keys(variables)
    .filter((name) => name.startsWith('SIGNALBOX_') && !known.has(name))
    .map((name) => {
      const near = nearestName(name, known)
      return `${name} is not a setting. ${near === undefined ? 'List all settings: signalbox env' : `Did you mean ${near}?`}`
    })
}

class Reader {
  readonly #texts: ReadonlyMap<string, string>
  readonly #faults: string[]

  constructor(texts: ReadonlyMap<string, string>, faults: string[]) {
    this.#texts = texts
    this.#faults = faults
  }

  port(name: string, otherwise: number): number {
    const text = this.#texts.get(name)
    if (text === undefined) return otherwise
    if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
    this.#faults.push(`${name} must be a port from 0 to 65535.`)
    return otherwise
  }

  optionalPort(name: string): number | undefined {
    return this.#texts.has(name) ? this.port(name, 0) : undefined
  }

  count(name: string, otherwise: number): number {
    const text = this.#texts.get(name)
    if (text === undefined) return otherwise
    if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
    this.#faults.push(`${name} must be a number from 1 to 9999999.`)
    return otherwise
  }

  drainSeconds(): number | undefined {
    const text = this.#texts.get('SIGNALBOX_DRAIN_SECONDS')
    if (text === undefined) return undefined
    if (/^\d{1,3}$/.test(text) && Number(text) <= drainSecondsMax) return Number(text)
    this.#faults.push(`SIGNALBOX_DRAIN_SECONDS must be a number from 0 to ${drainSecondsMax}.`)
    return undefined
  }

  /** Reads an origin. It is stored without a slash at its end. */
  address(name: string): string | undefined {
    const text = this.#texts.get(name)
    if (text === undefined) return undefined
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (
      url &&
      /^https?:$/.test(url.protocol) &&
      url.pathname === '/' &&
      url.search === '' &&
      url.username === ''
    ) {
      return url.origin
    }
    this.#faults.push(
      `${name} must be a URL without a path, such as https://signalbox.example.com.`,
    )
    return undefined
  }

  databaseUrl(): string | undefined {
    const text = this.#texts.get('DATABASE_URL')
    if (text === undefined || /^postgres(?:ql)?:\/\/./.test(text)) return text
    this.#faults.push('DATABASE_URL must begin with postgres://.')
    return undefined
  }

  poolUrl(databaseUrl: string | undefined): string | undefined {
    const text = this.#texts.get('SIGNALBOX_POOL_URL')
    if (text === undefined) return undefined
    if (databaseUrl === undefined) {
      this.#faults.push(
        'SIGNALBOX_POOL_URL needs DATABASE_URL: migrations and notifications go past the pooler.',
      )
    }
    if (/^postgres(?:ql)?:\/\/[^/]+\/[^?]*\{role\}/.test(text)) return text
    this.#faults.push(
      'SIGNALBOX_POOL_URL must look like postgres://user:password@host:6432/{role}, with {role} where the pooler has a database for each role.',
    )
    return undefined
  }

  postgresBin(directory: string, databaseUrl: string | undefined): string | undefined {
    const text = this.#texts.get('SIGNALBOX_POSTGRES_BIN')
    if (text === undefined) return undefined
    if (databaseUrl !== undefined) {
      this.#faults.push(
        'SIGNALBOX_POSTGRES_BIN applies only to the embedded database: leave it out with DATABASE_URL.',
      )
    }
    return resolve(directory, text)
  }

  roles(): ReadonlySet<ProcessRole> {
    const names = this.list('SIGNALBOX_ROLES')
    if (names.length === 0) return new Set(defaultRoles)
    const roles = processRoles.filter((role) => names.includes(role))
    const wrong = names.filter((name) => !processRoles.some((role) => role === name))
    if (wrong.length > 0) {
      this.#faults.push(
        `SIGNALBOX_ROLES names ${wrong.join(', ')}; the roles are ${processRoles.join(', ')}.`,
      )
    }
    if (roles.includes('relay') && roles.length > 1) {
      this.#faults.push('SIGNALBOX_ROLES: a relay has no other role.')
    }
    return new Set(roles)
  }

  rootKeys(): readonly string[] {
    const keys = this.list('SIGNALBOX_ROOT_KEY')
    // 43 characters hold 258 bits: in the last one the two surplus bits are zero.
    const pattern = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/
    if (keys.every((key) => pattern.test(key)) && keys.length <= 2) return keys
    this.#faults.push(
      'SIGNALBOX_ROOT_KEY must be 32 bytes as base64url, 43 characters; or two such keys during a rotation.',
    )
    return []
  }

  bootstrapToken(): string | undefined {
    const token = this.#texts.get('SIGNALBOX_BOOTSTRAP_TOKEN')
    if (token === undefined || token.length >= 32) return token
    this.#faults.push('SIGNALBOX_BOOTSTRAP_TOKEN must have at least 32 characters.')
    return undefined
  }

  rateLimits(): RateLimits {
    const text = this.#texts.get('SIGNALBOX_RATE_LIMITS')
    return this.#parsed(() => parseRateLimits(text)) ?? defaultRateLimits
  }

  capacities(): Capacities {
    const text = this.#texts.get('SIGNALBOX_CAPACITY')
    return this.#parsed(() => parseCapacities(text)) ?? defaultCapacities
  }

  trustedProxies(): readonly string[] {
    const networks = this.list('SIGNALBOX_TRUSTED_PROXIES')
    return networks.filter((network) => this.#parsed(() => createClientAddress([network])))
  }

  egressAllow(): readonly string[] {
    const entries = this.list('SIGNALBOX_EGRESS_ALLOW')
    return entries.filter((entry) => this.#parsed(() => createAddressGuard([entry])))
  }

  /** Runs a parser whose error names the setting and the remedy. */
  #parsed<T>(parse: () => T): T | undefined {
    try {
      return parse()
    } catch (error) {
      this.#faults.push(error instanceof Error ? error.message : String(error))
      return undefined
    }
  }

  oneOf<const T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.#texts.get(name)
    if (text === undefined) return undefined
    const chosen = choices.find((choice) => choice === text)
    if (chosen === undefined) this.#faults.push(`${name} must be one of ${choices.join(', ')}.`)
    return chosen
  }

  list(name: string): readonly string[] {
    return (this.#texts.get(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
  }
}
