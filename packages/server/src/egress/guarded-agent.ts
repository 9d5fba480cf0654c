import { lookup as resolve, type LookupAddress } from 'node:dns'
import { Agent, buildConnector } from 'undici'
import { portOf, type AddressGuard } from './address-guard.ts'
import { EgressError } from './egress-error.ts'

/** Resolves a host name to addresses and passes them to `done`. */
export type ResolveHost = (
  hostname: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void

export interface GuardedAgentOptions {
  readonly guard: AddressGuard
  readonly connectTimeoutMs: number
  /** Replaces the resolver in tests. */
  readonly resolveHost?: ResolveHost
}

/**
 * Creates a pool of connections that checks the very address it connects to. The name is resolved once, every address
 * of it is checked, and one of them is used. A name that resolves differently the second time gains nothing.
 */
export function createGuardedAgent({
  guard,
  connectTimeoutMs,
  resolveHost = resolveAll,
}: GuardedAgentOptions): Agent {
  // One for each port, because a lookup is not told the port.
  const connectors = new Map<number, ReturnType<typeof buildConnector>>()
  const buildFor = (port: number) =>
    buildConnector({
      timeout: connectTimeoutMs,
      allowH2: false,
      lookup: (hostname, options, done) => {
        resolveHost(hostname, (error, addresses) => {
          if (error !== null) return done(error, [])
          const permitted =
            guard.isNamed(hostname, port) ||
            addresses.every(({ address }) => guard.allowsAddress(address, port))
          const [first] = addresses
          if (first === undefined || !permitted) {
            return done(new EgressError('address_forbidden', hostname), [])
          }
          if (options.all === true) return done(null, [...addresses])
          return done(null, first.address, first.family)
        })
      },
    })
  return new Agent({
    connect: (options, done) => {
      const port = portOf(options)
      const connect = connectors.get(port) ?? buildFor(port)
      connectors.set(port, connect)
      connect(options, done)
    },
    pipelining: 1,
    keepAliveTimeout: 10_000,
  })
}

const resolveAll: ResolveHost = (hostname, done) => {
  resolve(hostname, { all: true, verbatim: true }, (error, addresses) => done(error, addresses))
}
