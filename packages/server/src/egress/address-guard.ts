import ipaddr from 'ipaddr.js'

/** Decides which hosts and addresses outbound calls may reach. */
export interface AddressGuard {
  /**
   * Returns whether the operator has allowed this host or address by name. Plain http is fine there, and the addresses
   * of such a host are not checked.
   */
  isNamed(hostname: string): boolean
  /** Returns whether a connection to a resolved address is allowed. */
  allowsAddress(address: string): boolean
}

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/**
 * Allows public addresses, and those of `SIGNALBOX_EGRESS_ALLOW`: a list of hosts (`git.internal`, `localhost`),
 * addresses and networks (`10.1.0.0/16`). Refuses everything that is not plain public unicast: private, loopback,
 * link-local with its metadata services, carrier-grade NAT, multicast, and every IPv6 form that contains another
 * address. Throws when an entry cannot be parsed.
 */
export function createAddressGuard(allowed: readonly string[]): AddressGuard {
  const networks: Network[] = []
  const hosts = new Set<string>()
  for (const entry of allowed) {
    const network = parseNetwork(entry)
    if (network !== undefined) networks.push(network)
    else hosts.add(parseHost(entry))
  }
  const isInNamedNetwork = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
    networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    )
  return {
    isNamed: (hostname) => {
      if (hosts.has(hostname.toLowerCase().replace(/\.$/, ''))) return true
      const parsed = parseAddress(hostname)
      return parsed !== undefined && isInNamedNetwork(parsed)
    },
    allowsAddress: (address) => {
      const parsed = parseAddress(address)
      return parsed !== undefined && (isInNamedNetwork(parsed) || isPublic(parsed))
    },
  }
}

/** NAT64, 6to4, Teredo and the like have ranges of their own, so none of them is `unicast`. */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || isGlobalUnicast(address)
}

/** 2000::/3 is all that is assigned for global use (IANA IPv6 address space). */
function isGlobalUnicast(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.match(ipaddr.parseCIDR('2000::/3'))
}

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare)
  if (!ipaddr.IPv6.isValid(bare)) return undefined
  const parsed = ipaddr.IPv6.parse(bare)
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed
}

function parseNetwork(entry: string): Network | undefined {
  const single = parseAddress(entry)
  if (single !== undefined) return [single, single.kind() === 'ipv4' ? 32 : 128]
  return ipaddr.isValidCIDR(entry) ? ipaddr.parseCIDR(entry) : undefined
}

function parseHost(entry: string): string {
  const host = entry.toLowerCase().replace(/\.$/, '')
  if (/^[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?$/.test(host)) return host
  throw new Error(
    `SIGNALBOX_EGRESS_ALLOW: "${entry}" is not a host, an address or a network such as 10.1.0.0/16.`,
  )
}
