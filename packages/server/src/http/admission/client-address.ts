import ipaddr from 'ipaddr.js'

/** Determines the address of a request's sender. */
export interface ClientAddress {
  /**
   * Returns the address. `remoteAddress` is the socket's; `forwardedFor` is the `X-Forwarded-For` header, which counts
   * only from a trusted proxy.
   */
  of(remoteAddress: string | undefined, forwardedFor: string | undefined): string
  /** Returns whether a socket's address is that of a trusted proxy. */
  isProxy(remoteAddress: string | undefined): boolean
}

/** Notes the address of each sender of `X-Forwarded-For` that is no trusted proxy. */
export type OnUndeclared = (remoteAddress: string) => void

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/**
 * Creates a reader of `X-Forwarded-For` that trusts only entries written by `trustedProxies` (addresses or networks
 * such as `10.0.0.0/8`). Each trusted proxy appended its sender at the right end, so the list is read from there:
 * entries further left come from the client and prove nothing. Throws when a network cannot be parsed.
 */
export function createClientAddress(
  trustedProxies: readonly string[],
  onUndeclared: OnUndeclared = () => {},
): ClientAddress {
  const networks = trustedProxies.map(parseNetwork)
  const isTrusted = (address: string) => {
    const parsed = parse(address)
    return (
      parsed !== undefined &&
      networks.some(
        ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
      )
    )
  }
  return {
    of(remoteAddress, forwardedFor) {
      let address = canonicalAddress(remoteAddress ?? '') ?? 'unknown'
      if (forwardedFor === undefined) return address
      if (networks.length === 0 || !isTrusted(address)) {
        onUndeclared(address)
        return address
      }
      const hops = forwardedFor.split(',')
      while (hops.length > 0 && isTrusted(address)) {
        const hop = canonicalAddress(hops.pop()?.trim() ?? '')
        if (hop === undefined) return address
        address = hop
      }
      return address
    },
    isProxy: (remoteAddress) =>
      networks.length > 0 && isTrusted(canonicalAddress(remoteAddress ?? '') ?? 'unknown'),
  }
}

const readingsMax = 10_000
/**
 * The length of `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`. Longer texts have a zone or are no address, and are
 * not cached.
 */
const addressLengthMax = 45

/** Caches parsed addresses: one of IPv6 takes 30 µs, and most requests come from few addresses. */
function remembering<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const present = known.get(text)
    if (present !== undefined) return present
    if (known.size >= readingsMax) known.clear()
    const reading = read(text)
    if (text.length <= addressLengthMax) known.set(text, reading)
    return reading
  }
}

/** Normalizes an address: `::ffff:1.2.3.4` becomes `1.2.3.4`. `undefined` for anything else. */
const canonicalAddress = remembering((text) => parse(text)?.toString())

const networkSubject = remembering((text) => networkOf(text, 64))
const wideSubject = remembering((text) => networkOf(text, 48))

/**
 * Returns the subject of a limit by address: an IPv4 address, or the /64 network of an IPv6 one, which belongs to one
 * customer.
 */
export function addressSubject(address: string): string {
  return address.includes(':') ? networkSubject(address) : address
}

/**
 * Returns the /48 network of an IPv6 address, which one customer may have whole: 65,536 of the networks that
 * `addressSubject` tells apart. `undefined` for IPv4.
 */
export function wideNetwork(address: string): string | undefined {
  return address.includes(':') ? wideSubject(address) : undefined
}

const nearby: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'uniqueLocal',
  'linkLocal',
  'carrierGradeNat',
])

/**
 * Returns the subject of the limit of sign-ins: the address, and for a private address that forwards, also the last address that
 * it names. Behind a proxy that nobody declared everybody has the address of the proxy, so a stranger's wrong passwords would keep
 * out those who could correct that. A caller from the internet can't choose its subject in this way: its address is not private.
 */
export function signInSubject(address: string, forwardedFor: string | undefined): string {
  const subject = addressSubject(address)
  if (forwardedFor === undefined || !nearby.has(parse(address)?.range() ?? '')) return subject
  const hop = canonicalAddress(forwardedFor.split(',').at(-1)?.trim() ?? '')
  return hop === undefined ? subject : `${subject} ${addressSubject(hop)}`
}

function networkOf(address: string, bits: 48 | 64): string {
  const parsed = parse(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed?.toString() ?? address
  const network = parsed.parts.slice(0, bits / 16).map((part) => part.toString(16))
  return `${network.join(':')}::/${bits}`
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = text.replace(/%.*$/, '')
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare)
  if (!ipaddr.IPv6.isValid(bare)) return undefined
  const parsed = ipaddr.IPv6.parse(bare)
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed
}

function parseNetwork(text: string): Network {
  const single = parse(text)
  if (single !== undefined) return [single, single.kind() === 'ipv4' ? 32 : 128]
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  throw new Error(
    `SIGNALBOX_TRUSTED_PROXIES: "${text}" is not an address or a network such as 10.0.0.0/8.`,
  )
}
