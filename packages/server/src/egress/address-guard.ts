import ipaddr from 'ipaddr.js'

/** Decides which hosts and addresses outbound calls may reach. */
export interface AddressGuard {
  /**
   * Returns whether the operator has allowed this host or address by name. Plain http is fine there, and the addresses
   * of such a host are not checked.
   */
  isNamed(hostname: string, port: number): boolean
  /** Returns whether a connection to a resolved address is allowed. */
  allowsAddress(address: string, port: number): boolean
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = readonly [Address, number]

/** Holds what one entry of a list names. Without a port: every port. */
interface Entry {
  readonly target: Network | string
  readonly port: number | undefined
}

/**
 * Allows public addresses, and those of a list: hosts (`git.internal`, `localhost`), addresses and networks
 * (`10.1.0.0/16`), each with a port or without (`git.internal:8443`, `[fd00::1]:443`). Refuses everything that is not plain
 * public unicast: private, loopback, link-local with its metadata services, carrier-grade NAT, multicast, and every IPv6
 * form that contains another address. Throws when an entry cannot be parsed.
 */
export function createAddressGuard(allowed: readonly string[]): AddressGuard {
  const entries = allowed.map(parseEntry)
  const names = (port: number, isMeant: (target: Entry['target']) => boolean) =>
    entries.some((entry) => (entry.port ?? port) === port && isMeant(entry.target))
  const isInNamedNetwork = (address: Address, port: number) =>
    names(port, (target) => typeof target !== 'string' && isWithin(target, address))
  return {
    isNamed: (hostname, port) => {
      const host = hostname.toLowerCase().replace(/\.$/, '')
      const parsed = parseAddress(hostname)
      if (parsed !== undefined) return isInNamedNetwork(parsed, port)
      return names(port, (target) => target === host)
    },
    allowsAddress: (address, port) => {
      const parsed = parseAddress(address)
      return parsed !== undefined && (isInNamedNetwork(parsed, port) || isPublic(parsed))
    },
  }
}

/** Returns the entry of a list that allows the host and port of an address, and no other port of the host. */
export function toEntry(url: string): string {
  const parsed = new URL(url)
  return `${parsed.hostname}:${portOf(parsed)}`
}

/** Returns the port of an address, which is left out where it is the usual one. */
export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

function isWithin([network, bits]: Network, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits)
}

/** NAT64, 6to4, Teredo and the like have ranges of their own, so none of them is `unicast`. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || isGlobalUnicast(address)
}

/** 2000::/3 is all that is assigned for global use (IANA IPv6 address space). */
function isGlobalUnicast(address: Address): boolean {
  return address.match(ipaddr.parseCIDR('2000::/3'))
}

function parseAddress(text: string): Address | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare)
  if (!ipaddr.IPv6.isValid(bare)) return undefined
  const parsed = ipaddr.IPv6.parse(bare)
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed
}

/** An IPv6 address has colons too, so its port stands behind brackets. */
const withPort = /^(\[[^\]]*\](?:\/\d+)?|[^:]*):(\d{1,5})$/

function parseEntry(entry: string): Entry {
  const [, before = entry, digits] = withPort.exec(entry) ?? []
  const port = digits === undefined ? undefined : Number(digits)
  const target = port === undefined || port <= 65_535 ? parseTarget(before) : undefined
  if (target !== undefined) return { target, port }
  throw new Error(
    `"${entry}" is not a host, an address or a network such as 10.1.0.0/16, with a port or without.`,
  )
}

function parseTarget(text: string): Entry['target'] | undefined {
  const single = parseAddress(text)
  if (single !== undefined) return [single, single.kind() === 'ipv4' ? 32 : 128]
  const bare = text.replace(/^\[(.*)\](\/\d+)?$/, '$1$2')
  if (ipaddr.isValidCIDR(bare)) return ipaddr.parseCIDR(bare)
  const host = text.toLowerCase().replace(/\.$/, '')
  return /^[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?$/.test(host) ? host : undefined
}
