import type { Log } from '../../telemetry/log.ts'

/** Remembers the addresses that sent `X-Forwarded-For` without being a trusted proxy. */
export interface UndeclaredProxies {
  /** Notes an address, and warns in the log the first time. */
  note(address: string): void
  /** Lists the addresses, the first one first. */
  list(): readonly string[]
}

/** Bounds memory and log: anybody can send the header. */
const addressesMax = 10

/**
 * Creates the list. Behind a proxy that is not declared everybody has its address: the limits of one are those of all,
 * and the audit log names nobody.
 */
export function createUndeclaredProxies(log: Log): UndeclaredProxies {
  const addresses = new Set<string>()
  return {
    note(address) {
      if (addresses.size >= addressesMax || addresses.has(address)) return
      addresses.add(address)
      log.warn(
        'Requests with X-Forwarded-For come from an address that SIGNALBOX_TRUSTED_PROXIES does not list. If that is your proxy, add it: until then everybody behind it counts as one address',
        { address },
      )
    },
    list: () => [...addresses],
  }
}
