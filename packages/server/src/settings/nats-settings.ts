import { isIP } from 'node:net'
import { publisherUser } from '../replica/nats-permissions.ts'
import { bucketPattern, domainPattern, groupOfAll, groupPattern } from '../replica/nats-subjects.ts'
import { readPublisherKeys } from './relay-settings.ts'

/** Describes a group of organizations, whose nodes hold what belongs to these alone. */
export interface NatsGroup {
  readonly name: string
  /** Lists ids and slugs of organizations; `undefined`: every one. */
  readonly organizations: readonly string[] | undefined
}

/** Holds how the process uses NATS. */
export interface NatsSettings {
  /** Example: `tls://nats.example.com:4222`. */
  readonly servers: readonly string[]
  /** Tells that every connection has to be TLS. */
  readonly isEncrypted: boolean
  readonly bucket: string
  /** Holds the seed of an nkey. Undefined: the connection has no credential. */
  readonly seed: string | undefined
  /** Holds certificates of authorities, as PEM. Undefined: those of Node. */
  readonly ca: string | undefined
  /** Lists the groups that a worker publishes. */
  readonly groups: readonly NatsGroup[]
  /** Names the JetStream domain of the servers that store. Undefined: those that the process connects to do. */
  readonly domain: string | undefined
  /** Names the group of a node that only delivers. */
  readonly group: string
  /** Lists the public keys whose signatures a node that only delivers believes. */
  readonly publisherKeys: readonly string[]
}

const url = 'SIGNALBOX_NATS_URL'

/** Reads the settings of NATS; `undefined` for a process that does not use it. A violation says what to change. */
export function readNatsSettings(
  texts: ReadonlyMap<string, string>,
  roles: ReadonlySet<string>,
  violations: string[],
): NatsSettings | undefined {
  const servers = splitList(texts.get(url))
  if (servers.length === 0) {
    const surplus = [...texts.keys()].filter((name) => name.startsWith('SIGNALBOX_NATS_'))
    if (surplus.length > 0) violations.push(`${surplus.join(', ')} needs ${url}.`)
    return undefined
  }
  const isWorker = roles.has('worker')
  const deliversOnly = roles.has('delivery') && roles.size === 1
  checkUse(texts, { isWorker, deliversOnly }, violations)
  if (roles.has('relay')) {
    violations.push(`${url}: a relay is fed by its upstream. Use SIGNALBOX_ROLES=delivery.`)
  }
  checkForms(texts, violations)
  const settings = {
    servers,
    isEncrypted: checkServers(servers, violations),
    bucket: texts.get('SIGNALBOX_NATS_BUCKET') ?? 'signalbox',
    seed: texts.get('SIGNALBOX_NATS_SEED'),
    ca: texts.get('SIGNALBOX_NATS_CA'),
    groups: readGroups(texts.get('SIGNALBOX_NATS_GROUPS'), violations),
    domain: texts.get('SIGNALBOX_NATS_DOMAIN'),
    group: texts.get('SIGNALBOX_NATS_GROUP') ?? groupOfAll,
    publisherKeys: deliversOnly ? readPublisherKeys(texts, violations) : [],
  }
  return isWorker || deliversOnly ? settings : undefined
}

const groupForm = 'at most 32 small letters, digits and -'

/** Maps settings to their form, and to how a violation says it. */
const forms = [
  [
    'SIGNALBOX_NATS_BUCKET',
    bucketPattern,
    'have only letters, digits, - and _, at most 32 of them',
  ],
  [
    'SIGNALBOX_NATS_DOMAIN',
    domainPattern,
    'have only letters, digits, - and _, at most 32 of them',
  ],
  ['SIGNALBOX_NATS_GROUP', groupPattern, `be ${groupForm}`],
  ['SIGNALBOX_NATS_SEED', /^SU[A-Z2-7]{56}$/, 'be the seed of a user’s nkey, SU and 56 characters'],
] as const

function checkForms(texts: ReadonlyMap<string, string>, violations: string[]): void {
  for (const [name, pattern, form] of forms) {
    const text = texts.get(name)
    if (text !== undefined && !pattern.test(text)) violations.push(`${name} must ${form}.`)
  }
}

/** Checks that the settings are for what the process does: a worker publishes, and one that only delivers is fed. */
function checkUse(
  texts: ReadonlyMap<string, string>,
  { isWorker, deliversOnly }: { readonly isWorker: boolean; readonly deliversOnly: boolean },
  violations: string[],
): void {
  if (deliversOnly && texts.has('DATABASE_URL')) {
    violations.push(
      `A process with only the role delivery follows either the database or NATS. Leave out DATABASE_URL or ${url}.`,
    )
  }
  if (deliversOnly && !texts.has('SIGNALBOX_PUBLISHER_KEYS')) {
    violations.push(
      `SIGNALBOX_ROLES=delivery with ${url} needs SIGNALBOX_PUBLISHER_KEYS, which "signalbox publisher-keys" prints.`,
    )
  }
  if (texts.has('SIGNALBOX_NATS_GROUP') && !deliversOnly) {
    violations.push('SIGNALBOX_NATS_GROUP needs SIGNALBOX_ROLES=delivery.')
  }
  if (texts.has('SIGNALBOX_NATS_GROUPS') && !isWorker) {
    violations.push('SIGNALBOX_NATS_GROUPS needs the role worker, which publishes the groups.')
  }
}

/** Returns whether the connections are TLS. What travels says which organizations there are, and their values. */
function checkServers(servers: readonly string[], violations: string[]): boolean {
  const parsed = servers.map((server) => (URL.canParse(server) ? new URL(server) : undefined))
  const isWellFormed = servers.every((server) => /^(?:nats|tls):\/\/[^/?#@,]+\/?$/.test(server))
  if (!isWellFormed || parsed.includes(undefined)) {
    violations.push(
      `${url} must be addresses such as tls://nats.example.com:4222, separated by commas and without credentials, which go into SIGNALBOX_NATS_SEED_FILE.`,
    )
    return true
  }
  const plain = parsed.filter((server) => server?.protocol === 'nats:')
  if (parsed.some((server) => server?.protocol === 'tls:' && isAddress(server.hostname))) {
    // The client would compare the certificate with the name localhost.
    violations.push(
      `${url}: write the names of the servers after tls://. The certificate of an IP address cannot be verified.`,
    )
  }
  if (plain.some((server) => !isLoopback(server?.hostname ?? ''))) {
    violations.push(
      `${url}: only an address of this machine may do without TLS. Write tls:// in place of nats://, and name the authority of a certificate of your own in SIGNALBOX_NATS_CA_FILE.`,
    )
  }
  if (plain.length > 0 && plain.length < servers.length) {
    violations.push(`${url}: write tls:// before all addresses, or before none.`)
  }
  return plain.length === 0
}

function isAddress(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, '')) !== 0
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** Reads `eu:org_1+org_2,us:org_3`. The group of every organization always exists. */
function readGroups(text: string | undefined, violations: string[]): NatsGroup[] {
  const groups: NatsGroup[] = [{ name: groupOfAll, organizations: undefined }]
  for (const each of splitList(text)) {
    const [name = '', list = '', ...more] = each.split(':')
    const organizations = list.split('+').filter((organization) => organization !== '')
    if (!groupPattern.test(name) || organizations.length === 0 || more.length > 0) {
      violations.push(
        `SIGNALBOX_NATS_GROUPS must look like eu:acme+org_2,us:org_3: names of ${groupForm}, each with ids or slugs of organizations.`,
      )
    } else if (name === publisherUser || groups.some((other) => other.name === name)) {
      violations.push(
        `SIGNALBOX_NATS_GROUPS names ${name}, which is already taken: twice in the list, the group of every organization, or the user that publishes.`,
      )
    } else groups.push({ name, organizations })
  }
  return groups
}

function splitList(text = ''): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
