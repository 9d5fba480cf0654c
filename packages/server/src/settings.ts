import { resolve } from 'node:path'
import { readAuditSettings, type AuditSettings } from './audit/outlets/outlet-settings.ts'
import { toEntry } from './egress/address-guard.ts'
import type { Capacities } from './http/admission/capacities.ts'
import type { RateLimits } from './http/admission/rate-classes.ts'
import { readKeptFor, type KeptFor } from './settings/kept-for.ts'
import { readNatsSettings, type NatsSettings } from './settings/nats-settings.ts'
import { readDeliveryProcesses } from './settings/delivery-processes.ts'
import { readOidcSettings, type OidcSettings } from './settings/oidc-settings.ts'
import { readProviderSettings, type ProviderSettings } from './settings/provider-settings.ts'
import { readRelaySettings, type RelaySettings } from './settings/relay-settings.ts'
import { settingTable, type SettingDefinition } from './settings/setting-table.ts'
import { SettingReader, type ProcessRole } from './settings/setting-reader.ts'
import { findSettingText, readSettingTexts, type Variables } from './settings/setting-texts.ts'

const mib = 1024 * 1024

const organizationMakers = ['anyone', 'operators'] as const

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
  /** Names the program that prints them, with its arguments. Undefined: there is none. */
  readonly rootKeyCommand: string | undefined
  readonly bootstrapToken: string | undefined
  /** Undefined: as `commands/start.ts` chooses. */
  readonly drainSeconds: number | undefined
  readonly logLevel: (typeof logLevels)[number]
  readonly logFormat: 'pretty' | 'json' | undefined
  readonly rateLimits: RateLimits
  readonly capacities: Capacities
  readonly trustedProxies: readonly string[]
  /** Lists what calls to the addresses that settings name may reach although it is not public: those, and more. */
  readonly egressAllow: readonly string[]
  /** Lists what calls to the addresses that people enter may reach although it is not public. */
  readonly egressAllowMembers: readonly string[]
  /** Lists the DNS servers that are asked for the records of e-mail domains. Empty: those of the machine. */
  readonly dnsServers: readonly string[]
  /** Limits the current snapshots, which every delivery node keeps in memory. */
  readonly publishedLimits: {
    readonly perOrganizationBytes: number
    readonly perServerBytes: number
  }
  readonly organizationsPerPerson: number
  readonly organizationsCreatedBy: (typeof organizationMakers)[number]
  readonly keptFor: KeptFor
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
  readonly violations: readonly string[]

  constructor(violations: readonly string[]) {
    super(['The settings are not valid:', ...violations].join('\n  - '))
    this.violations = violations
  }
}

/**
 * Reads and checks every setting.
 *
 * @throws {SettingsError} naming each violation: an unknown `SIGNALBOX_` variable, a value out of range, two sources for one.
 */
export function readSettings(
  variables: Variables = process.env,
  directory = process.cwd(),
): Settings {
  const violations: string[] = []
  const texts = readSettingTexts(variables, violations)
  const reader = new SettingReader(texts, violations)
  const databaseUrl = reader.databaseUrl()
  const roles = reader.roles()
  const providers = readProviderSettings(texts, violations)
  const oidc = readOidcSettings(texts, violations)
  const settings: Settings = {
    host: texts.get('SIGNALBOX_HOST') ?? '127.0.0.1',
    apiPort: reader.port('SIGNALBOX_API_PORT', 4400),
    deliveryPort: reader.port('SIGNALBOX_DELIVERY_PORT', 4401),
    flagdPort: reader.optionalPort('SIGNALBOX_FLAGD_PORT'),
    deliveryProcesses: readDeliveryProcesses(texts, { roles }, violations),
    metricsPort: reader.optionalPort('SIGNALBOX_METRICS_PORT'),
    publicUrl: reader.address('SIGNALBOX_PUBLIC_URL'),
    configUrl: reader.address('SIGNALBOX_CONFIG_URL'),
    dataDir: resolve(directory, texts.get('SIGNALBOX_DATA_DIR') ?? '.signalbox'),
    databaseUrl,
    poolUrl: reader.poolUrl(databaseUrl),
    postgresBin: reader.postgresBin(directory, databaseUrl),
    roles,
    relay: readRelaySettings(texts, roles, violations),
    nats: readNatsSettings(texts, roles, violations),
    rootKeys: reader.rootKeys(),
    rootKeyCommand: texts.get('SIGNALBOX_ROOT_KEY_COMMAND'),
    bootstrapToken: reader.bootstrapToken(),
    drainSeconds: reader.drainSeconds(),
    logLevel: reader.oneOf('SIGNALBOX_LOG_LEVEL', logLevels) ?? 'info',
    logFormat: reader.oneOf('SIGNALBOX_LOG_FORMAT', ['pretty', 'json']),
    rateLimits: reader.rateLimits(),
    capacities: reader.capacities(),
    trustedProxies: reader.trustedProxies(),
    egressAllow: [
      ...reader.egressList('SIGNALBOX_EGRESS_ALLOW'),
      ...[...providers.named, ...(oidc === undefined ? [] : [oidc.issuer])].map(toEntry),
    ],
    egressAllowMembers: reader.egressList('SIGNALBOX_EGRESS_ALLOW_MEMBERS'),
    dnsServers: reader.dnsServers(),
    publishedLimits: {
      perOrganizationBytes: reader.count('SIGNALBOX_PUBLISHED_MIB_PER_ORGANIZATION', 64) * mib,
      perServerBytes: reader.count('SIGNALBOX_PUBLISHED_MIB', 512) * mib,
    },
    organizationsPerPerson: reader.count('SIGNALBOX_ORGANIZATIONS_PER_PERSON', 10),
    organizationsCreatedBy:
      reader.oneOf('SIGNALBOX_ORGANIZATIONS_CREATED_BY', organizationMakers) ?? 'anyone',
    keptFor: readKeptFor(texts, violations),
    providers,
    oidc,
    audit: readAuditSettings(texts, violations),
    searchPath: variables['PATH'] ?? '',
  }
  violations.push(...findMissing(settings))
  if (violations.length > 0) throw new SettingsError(violations)
  return settings
}

/** Returns the violations of settings that other settings require. A process that only delivers serves browsers without a root key. */
function findMissing({
  databaseUrl,
  roles,
  rootKeys,
  rootKeyCommand,
  publicUrl,
}: Settings): string[] {
  const seals = roles.has('api') || roles.has('worker')
  const hasKey = rootKeys.length > 0 || rootKeyCommand !== undefined
  const violations: string[] = []
  if (databaseUrl !== undefined && seals && !hasKey) {
    violations.push(
      'SIGNALBOX_ROOT_KEY is required with DATABASE_URL, or SIGNALBOX_ROOT_KEY_COMMAND. Make a key with: node -p "crypto.randomBytes(32).toString(\'base64url\')" and keep it apart from the database.',
    )
  }
  if (publicUrl === undefined && roles.has('worker') && !roles.has('api')) {
    violations.push(
      'SIGNALBOX_PUBLIC_URL is required for a worker without the role api: it tells providers where webhooks go, and messages link to it. Set the URL of the API.',
    )
  }
  return violations
}

/** Returns whether others feed the process, over HTTPS, by a file or through NATS: such a node has no database. */
export function isFedByOthers({ roles, nats }: Pick<Settings, 'roles' | 'nats'>): boolean {
  return roles.has('relay') || (nats !== undefined && !roles.has('worker'))
}

/** Returns the violations for which `readSettings` would throw, one line each. */
export function findSettingViolations(variables: Variables = process.env): readonly string[] {
  try {
    readSettings(variables)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.violations
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
