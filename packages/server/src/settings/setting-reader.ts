import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { createAddressGuard } from '../egress/address-guard.ts'
import {
  defaultCapacities,
  parseCapacities,
  unlimitedCapacities,
  type Capacities,
} from '../http/admission/capacities.ts'
import { createClientAddress } from '../http/admission/client-address.ts'
import {
  defaultRateLimits,
  parseRateLimits,
  type RateLimits,
} from '../http/admission/rate-classes.ts'

/** Lists the roles of a process. A relay has no other one, and no database. */
const processRoles = ['api', 'worker', 'delivery', 'relay'] as const
/** Lists the roles of a process without a setting. */
const defaultRoles = ['api', 'worker', 'delivery'] as const
export type ProcessRole = (typeof processRoles)[number]

/** Waits longer than any load balancer takes to notice. */
const drainSecondsMax = 300

/** Reads single settings, and collects what is wrong with them. An invalid setting counts as left out. */
export class SettingReader {
  readonly #texts: ReadonlyMap<string, string>
  readonly #violations: string[]

  constructor(texts: ReadonlyMap<string, string>, violations: string[]) {
    this.#texts = texts
    this.#violations = violations
  }

  port(name: string, otherwise: number): number {
    const text = this.#texts.get(name)
    if (text === undefined) return otherwise
    if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
    this.#violations.push(`${name} must be a port from 0 to 65535.`)
    return otherwise
  }

  optionalPort(name: string): number | undefined {
    return this.#texts.has(name) ? this.port(name, 0) : undefined
  }

  count(name: string, otherwise: number): number {
    const text = this.#texts.get(name)
    if (text === undefined) return otherwise
    if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
    this.#violations.push(`${name} must be a number from 1 to 9999999.`)
    return otherwise
  }

  drainSeconds(): number | undefined {
    const text = this.#texts.get('SIGNALBOX_DRAIN_SECONDS')
    if (text === undefined) return undefined
    if (/^\d{1,3}$/.test(text) && Number(text) <= drainSecondsMax) return Number(text)
    this.#violations.push(`SIGNALBOX_DRAIN_SECONDS must be a number from 0 to ${drainSecondsMax}.`)
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
    this.#violations.push(
      `${name} must be a URL without a path, such as https://signalbox.example.com.`,
    )
    return undefined
  }

  databaseUrl(): string | undefined {
    const text = this.#texts.get('DATABASE_URL')
    if (text === undefined || /^postgres(?:ql)?:\/\/./.test(text)) return text
    this.#violations.push('DATABASE_URL must begin with postgres://.')
    return undefined
  }

  poolUrl(databaseUrl: string | undefined): string | undefined {
    const text = this.#texts.get('SIGNALBOX_POOL_URL')
    if (text === undefined) return undefined
    if (databaseUrl === undefined) {
      this.#violations.push(
        'SIGNALBOX_POOL_URL needs DATABASE_URL: migrations and notifications go past the pooler.',
      )
    }
    if (/^postgres(?:ql)?:\/\/[^/]+\/[^?]*\{role\}/.test(text)) return text
    this.#violations.push(
      'SIGNALBOX_POOL_URL must look like postgres://user:password@host:6432/{role}, with {role} where the pooler has a database for each role.',
    )
    return undefined
  }

  postgresBin(directory: string, databaseUrl: string | undefined): string | undefined {
    const text = this.#texts.get('SIGNALBOX_POSTGRES_BIN')
    if (text === undefined) return undefined
    if (databaseUrl !== undefined) {
      this.#violations.push(
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
      this.#violations.push(
        `SIGNALBOX_ROLES names ${wrong.join(', ')}; the roles are ${processRoles.join(', ')}.`,
      )
    }
    if (roles.includes('relay') && roles.length > 1) {
      this.#violations.push('SIGNALBOX_ROLES: a relay has no other role.')
    }
    return new Set(roles)
  }

  rootKeys(): readonly string[] {
    const keys = this.list('SIGNALBOX_ROOT_KEY')
    if (keys.length > 0 && this.#texts.has('SIGNALBOX_ROOT_KEY_COMMAND')) {
      this.#violations.push(
        'Use SIGNALBOX_ROOT_KEY (or SIGNALBOX_ROOT_KEY_FILE) or SIGNALBOX_ROOT_KEY_COMMAND, not both.',
      )
    }
    // 43 characters hold 258 bits: in the last one the two surplus bits are zero.
    const pattern = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/
    if (keys.every((key) => pattern.test(key)) && keys.length <= 2) return keys
    this.#violations.push(
      'SIGNALBOX_ROOT_KEY must be 32 bytes as base64url, 43 characters; or two such keys during a rotation.',
    )
    return []
  }

  bootstrapToken(): string | undefined {
    const token = this.#texts.get('SIGNALBOX_BOOTSTRAP_TOKEN')
    if (token === undefined || token.length >= 32) return token
    this.#violations.push('SIGNALBOX_BOOTSTRAP_TOKEN must have at least 32 characters.')
    return undefined
  }

  rateLimits(): RateLimits {
    const text = this.#texts.get('SIGNALBOX_RATE_LIMITS')
    return this.#parsed(() => parseRateLimits(text)) ?? defaultRateLimits
  }

  capacities(): Capacities {
    const text = this.#texts.get('SIGNALBOX_CAPACITY')
    const isOff = this.#texts.get('SIGNALBOX_RATE_LIMITS')?.trim() === 'off'
    const defaults = isOff ? unlimitedCapacities : defaultCapacities
    return this.#parsed(() => parseCapacities(text, defaults)) ?? defaults
  }

  trustedProxies(): readonly string[] {
    const networks = this.list('SIGNALBOX_TRUSTED_PROXIES')
    return networks.filter((network) => this.#parsed(() => createClientAddress([network])))
  }

  /** Reads a list of what outbound calls may reach. */
  egressList(name: 'SIGNALBOX_EGRESS_ALLOW' | 'SIGNALBOX_EGRESS_ALLOW_MEMBERS'): readonly string[] {
    return this.list(name).filter((entry) => {
      try {
        return createAddressGuard([entry])
      } catch (error) {
        this.#violations.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
        return false
      }
    })
  }

  /** Reads addresses of DNS servers, each with a port or without. */
  dnsServers(): readonly string[] {
    const servers = this.list('SIGNALBOX_DNS_SERVERS')
    return servers.filter((server) => {
      if (isIP(server) > 0) return true
      const [, address = '', port] = /^\[?([0-9a-f.:]+?)\]?:(\d{1,5})$/i.exec(server) ?? []
      if (isIP(address) > 0 && Number(port) <= 65_535) return true
      this.#violations.push(
        `SIGNALBOX_DNS_SERVERS: "${server}" is not an address such as 10.0.0.2, 10.0.0.2:53 or [fd00::2]:53.`,
      )
      return false
    })
  }

  /** Runs a parser whose error names the setting and the remedy. */
  #parsed<T>(parse: () => T): T | undefined {
    try {
      return parse()
    } catch (error) {
      this.#violations.push(error instanceof Error ? error.message : String(error))
      return undefined
    }
  }

  oneOf<const T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.#texts.get(name)
    if (text === undefined) return undefined
    const chosen = choices.find((choice) => choice === text)
    if (chosen === undefined) this.#violations.push(`${name} must be one of ${choices.join(', ')}.`)
    return chosen
  }

  list(name: string): readonly string[] {
    return (this.#texts.get(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
  }
}
