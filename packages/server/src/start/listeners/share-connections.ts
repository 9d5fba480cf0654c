import { countDescriptors, type ConnectionLimits } from '../../http/limit-connections.ts'
import type { ProcessKit } from '../../kit.ts'

/** Leaves this part of the descriptors, in percent, to the database, the disk and the calls out. */
const ownShare = 10
/** Leaves at least so many: the connections of all pools, the cache on the disk, and what a process has open from its start. */
const ownLeast = 64
/** Leaves the other connections of the delivery to reads, so that a node full of streams still answers them. */
const streamsOfDelivery = 0.9
/** Gives the sync service for flagd this part of the delivery's connections, where there is one. */
const flagdShare = 0.1

/** Holds what the limits of a listener depend on. */
type ListenerKit = Pick<ProcessKit, 'settings' | 'clientAddress' | 'sharedNode'>

/** Names the listeners of a process. */
type Listener = 'api' | 'delivery' | 'flagd'

/**
 * Returns the limits of a listener's connections. What the process may open is divided between its listeners, so that no
 * crowd at one of them takes what the other needs; a listener that is alone has the share of both.
 */
export function shareConnections(
  { settings, clientAddress, sharedNode }: ListenerKit,
  listener: Listener,
  descriptors = countDescriptors(),
): ConnectionLimits {
  const { roles, capacities } = settings
  const { connectionsPerAddress, connectionShare } = capacities
  const isAlone = !(roles.has('api') && roles.has('delivery'))
  const shares = { api: connectionShare, delivery: 100 - ownShare - connectionShare }
  const role = listener === 'api' ? 'api' : 'delivery'
  const share = isAlone ? 100 - ownShare : shares[role]
  // The rest is divided as all of them are where there are more.
  const shared = Math.min(descriptors, ((descriptors - ownLeast) * 100) / (100 - ownShare))
  return {
    perAddress: connectionsPerAddress,
    inAll: Math.max(1, Math.floor((shared * share * partOf(listener, settings)) / 100)),
    clientAddress,
    held: sharedNode?.counts.openHeld(`connections ${listener}`),
  }
}

/** Returns the part of its role's connections that a listener has. */
function partOf(listener: Listener, { flagdPort }: ProcessKit['settings']): number {
  if (listener === 'api' || flagdPort === undefined) return 1
  return listener === 'flagd' ? flagdShare : 1 - flagdShare
}

/** Returns how many streams the connections of this process suffice for, with some left for reads. */
export function countProcessStreams(kit: ListenerKit): number {
  return Math.floor(shareConnections(kit, 'delivery').inAll * streamsOfDelivery)
}

/** Returns how many streams all processes of the node may have. */
export function countStreams(kit: ListenerKit): number {
  const processes = kit.sharedNode?.counts.processes ?? 1
  return Math.min(kit.settings.capacities.streams, countProcessStreams(kit) * processes)
}
