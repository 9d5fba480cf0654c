import { BlockList, isIPv4 } from 'node:net'
import { Problem } from '@signalbox/contract'
import ipaddr from 'ipaddr.js'

/**
 * Returns a network in its canonical form, with the bits of the host cleared: `203.0.113.9/24` is `203.0.113.0/24`. A single
 * address is a network of itself: `203.0.113.9/32`. `undefined` for anything else.
 */
export function canonicalNetwork(text: string): string | undefined {
  const [, base = '', bits] = /^([\da-f:.]+)(?:\/(0|[1-9]\d{0,2}))?$/i.exec(text) ?? []
  const isOld = ipaddr.IPv4.isValidFourPartDecimal(base)
  if (!isOld && !(base.includes(':') && ipaddr.IPv6.isValid(base))) return undefined
  const parsed = ipaddr.parse(base)
  const whole = isOld ? 32 : 128
  const length = bits === undefined ? whole : Number(bits)
  if (length > whole) return undefined
  // Addresses of callers are written as IPv4 where they are mapped into IPv6.
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && length >= 96) {
    return networkOf(parsed.toIPv4Address(), length - 96)
  }
  return networkOf(parsed, length)
}

function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6, length: number): string {
  const bytes = address.toByteArray().map((byte, at) => {
    const bits = Math.min(8, Math.max(0, length - at * 8))
    return byte & ((0xff << (8 - bits)) & 0xff)
  })
  return `${ipaddr.fromByteArray(bytes).toString()}/${length}`
}

/** Holds the lists that were compiled, as long as the key that has them. */
const compiled = new WeakMap<readonly string[], BlockList>()

/**
 * Refuses a caller whose address is in none of the key's networks. `null`: the key is used from everywhere.
 *
 * @throws {Problem} `network_forbidden`
 */
export function requireNetwork(networks: readonly string[] | null, address: string): void {
  const rejection = findNetworkRejection(networks, address)
  if (rejection !== undefined) throw new Problem('network_forbidden', rejection)
}

/** Returns why a key may not be used from an address, which only a caller sees who has the secret; `undefined`: it may. */
export function findNetworkRejection(
  networks: readonly string[] | null,
  address: string,
): string | undefined {
  if (networks === null || includes(networks, address)) return undefined
  return `The API key may not be used from ${address}. Use it from one of its networks, or let an admin add this one: API keys, Change, Allowed networks.`
}

function includes(networks: readonly string[], address: string): boolean {
  const list = compiled.get(networks) ?? compile(networks)
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

function compile(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [base = '', length] = network.split('/')
    list.addSubnet(base, Number(length), isIPv4(base) ? 'ipv4' : 'ipv6')
  }
  compiled.set(networks, list)
  return list
}
