import type { Server, Socket } from 'node:net'
import type { Metrics } from '../telemetry/metrics.ts'
import { addressSubject, type ClientAddress } from './admission/client-address.ts'
import type { HeldCounts } from './admission/node-counts.ts'

/** Limits the connections of a server. */
export interface ConnectionLimits {
  readonly perAddress: number
  /** Limits what this process holds: each has its own files to open. */
  readonly inAll: number
  /** Tells a proxy, whose connections are those of many and count in all alone. */
  readonly clientAddress: Pick<ClientAddress, 'isProxy'>
  /** Counts the connections of an address to all processes of the node. */
  readonly held?: HeldCounts | undefined
}

/** Holds the connections that a server counts. */
export interface CountedConnections {
  /**
   * Counts a connection only in the total from now on, because what it has become, such as a stream, has a limit of its own. It no
   * longer makes room for others.
   */
  readonly exempt: (socket: Socket) => void
}

/**
 * Counts the connections of a server, and lets go of those beyond the limits. When the server is full, the newest
 * connection of the address that has most makes room for one of an address that has less.
 */
export function limitConnections(
  server: Server,
  { perAddress, inAll, clientAddress, held }: ConnectionLimits,
  metrics: Pick<Metrics, 'recordRefusedConnection'>,
): CountedConnections {
  const byAddress = new Map<string, Set<Socket>>()
  /** Maps each open connection to the address it counts for; `undefined`: it counts in all alone. */
  const counted = new Map<Socket, string | undefined>()
  const ofOthers = (subject: string) => held?.ofOthers(subject) ?? 0
  const add = (socket: Socket, subject: string) => {
    held?.note(subject, 1)
    byAddress.set(subject, (byAddress.get(subject) ?? new Set()).add(socket))
  }
  const exempt = (socket: Socket) => {
    const subject = counted.get(socket)
    if (subject === undefined) return
    counted.set(socket, undefined)
    held?.note(subject, -1)
    const sockets = byAddress.get(subject)
    sockets?.delete(socket)
    if (sockets?.size === 0) byAddress.delete(subject)
  }
  const forget = (socket: Socket) => {
    exempt(socket)
    counted.delete(socket)
  }
  /** One function for all connections: a node has ten thousand of them. */
  function onClose(this: Socket): void {
    forget(this)
  }
  const refuse = (socket: Socket) => {
    metrics.recordRefusedConnection('too_many_connections')
    socket.destroy()
  }
  const closeNewest = (own: number) => {
    const newest = findNewestOfMost(byAddress, own + 1)
    if (newest === undefined) return false
    forget(newest)
    refuse(newest)
    return true
  }
  server.on('connection', (socket) => {
    const { remoteAddress } = socket
    const isOfProxy = clientAddress.isProxy(remoteAddress)
    const subject = isOfProxy ? undefined : addressSubject(remoteAddress ?? '')
    const own = subject === undefined ? 0 : (byAddress.get(subject)?.size ?? 0)
    const isOfMany = subject !== undefined && own + ofOthers(subject) >= perAddress
    if (isOfMany || (counted.size >= inAll && !closeNewest(own))) {
      refuse(socket)
      return
    }
    counted.set(socket, subject)
    if (subject !== undefined) add(socket, subject)
    socket.on('close', onClose)
  })
  return { exempt }
}

/** Returns the newest connection of the address that has most, if it has more than `least`. */
function findNewestOfMost(
  byAddress: ReadonlyMap<string, ReadonlySet<Socket>>,
  least: number,
): Socket | undefined {
  let most: ReadonlySet<Socket> = new Set()
  for (const sockets of byAddress.values()) if (sockets.size > most.size) most = sockets
  return most.size > least ? [...most].at(-1) : undefined
}

let descriptors: number | undefined

/** Returns how many files, connections included, this process may open. It does not change, and is read once. */
export function countDescriptors(): number {
  descriptors ??= readDescriptors()
  return descriptors
}

/** The report of Node tells it on every platform; its list of connections would look up the name of each. */
function readDescriptors(): number {
  // The types of Node do not have it yet.
  Reflect.set(process.report, 'excludeNetwork', true)
  const report: unknown = process.report.getReport()
  const limits: unknown = Reflect.get(Object(report), 'userLimits')
  const files: unknown = Reflect.get(Object(limits), 'open_files')
  const soft: unknown = Reflect.get(Object(files), 'soft')
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY
}
