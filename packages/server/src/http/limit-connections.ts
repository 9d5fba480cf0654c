import type { Server, Socket } from 'node:net'
import type { Metrics } from '../telemetry/metrics.ts'
import { addressSubject, type ClientAddress } from './admission/client-address.ts'

/** Limits the connections of a server. */
export interface ConnectionLimits {
  readonly perAddress: number
  readonly inAll: number
  /** Tells a proxy, whose connections are those of many and count in all alone. */
  readonly clientAddress: Pick<ClientAddress, 'isProxy'>
}

/**
 * Counts the connections of a server, and lets go of those beyond the limits. When the server is full, the newest
 * connection of the address that has most makes room for one of an address that has less.
 */
export function limitConnections(
  server: Server,
  { perAddress, inAll, clientAddress }: ConnectionLimits,
  metrics: Pick<Metrics, 'recordRefusedConnection'>,
): void {
  const byAddress = new Map<string, Set<Socket>>()
  let count = 0
  const forget = (subject: string, socket: Socket) => {
    const sockets = byAddress.get(subject)
    if (sockets?.delete(socket) !== true) return
    count -= 1
    if (sockets.size === 0) byAddress.delete(subject)
  }
  const refuse = (socket: Socket) => {
    metrics.recordRefusedConnection('too_many_connections')
    socket.destroy()
  }
  const makeRoom = (own: number) => {
    const [subject, newest] = findNewestOfMost(byAddress, own + 1)
    if (newest === undefined) return false
    forget(subject, newest)
    refuse(newest)
    return true
  }
  server.on('connection', (socket) => {
    const { remoteAddress } = socket
    const subject = addressSubject(remoteAddress ?? '')
    const own = byAddress.get(subject)?.size ?? 0
    const isOneTooMany = own >= perAddress && !clientAddress.isProxy(remoteAddress)
    if (isOneTooMany || (count >= inAll && !makeRoom(own))) {
      refuse(socket)
      return
    }
    count += 1
    byAddress.set(subject, (byAddress.get(subject) ?? new Set()).add(socket))
    socket.once('close', () => forget(subject, socket))
  })
}

/** Returns the newest connection of the address that has most, if it has more than `least`. */
function findNewestOfMost(
  byAddress: ReadonlyMap<string, ReadonlySet<Socket>>,
  least: number,
): readonly [subject: string, socket: Socket | undefined] {
  let most: readonly [string, ReadonlySet<Socket>] = ['', new Set()]
  for (const entry of byAddress) if (entry[1].size > most[1].size) most = entry
  const [subject, sockets] = most
  return [subject, sockets.size > least ? [...sockets].at(-1) : undefined]
}

/**
 * Returns how many files, connections included, this process may open. The report of Node tells it on every platform;
 * its list of connections would look up the name of each.
 */
export function countDescriptors(): number {
  // The types of Node do not have it yet.
  Reflect.set(process.report, 'excludeNetwork', true)
  const report: unknown = process.report.getReport()
  const limits: unknown = Reflect.get(Object(report), 'userLimits')
  const files: unknown = Reflect.get(Object(limits), 'open_files')
  const soft: unknown = Reflect.get(Object(files), 'soft')
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY
}
