/** Describes how much of something a node holds at the same time. The reference renders the table of them. */
export interface Capacity {
  readonly most: number
  readonly of: string
  /** Says what the limit protects. */
  readonly protects: string
}

/** Holds every capacity with its default. */
export const capacityTable = {
  streams: {
    most: 10_000,
    of: 'open streams of a node',
    protects:
      'the memory of the node. On a full node, no organization keeps more than 30% while others need streams: the newest stream of the caller with the most streams ends for a caller with fewer.',
  },
  streamsPerAddress: {
    most: 1_000,
    of: 'open streams per key and address',
    protects: 'other clients from one that opens streams and forgets them.',
  },
  connectionsPerAddress: {
    most: 1_000,
    of: 'connections per address to the API, and to the delivery without streams, except from trusted proxies',
    protects: 'other clients from one that opens connections and sends nothing.',
  },
  connectionShare: {
    most: 30,
    of: 'connections to the API, in percent of the files that the process may open; the delivery has the rest except a tenth',
    protects:
      'each of the two from a flood of the other, and the database and the disk, which have the tenth. A process with only one of the two roles has the share of both.',
  },
  bodyMiB: {
    most: 64,
    of: 'MiB of bodies from senders that are not known yet, webhooks included',
    protects: 'the memory of the node from all senders together.',
  },
  bodyMiBPerAddress: {
    most: 8,
    of: 'MiB of such bodies per address, in addition to the largest of them',
    protects: 'other senders from one address.',
  },
} as const satisfies Readonly<Record<string, Capacity>>

export type CapacityName = keyof typeof capacityTable

/** Maps each capacity to what a node holds. */
export type Capacities = Readonly<Record<CapacityName, number>>

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table, which TypeScript gives as texts
const names = Object.keys(capacityTable) as readonly CapacityName[]

/** Holds the capacities that apply by default. */
export const defaultCapacities: Capacities = {
  streams: capacityTable.streams.most,
  streamsPerAddress: capacityTable.streamsPerAddress.most,
  connectionsPerAddress: capacityTable.connectionsPerAddress.most,
  connectionShare: capacityTable.connectionShare.most,
  bodyMiB: capacityTable.bodyMiB.most,
  bodyMiBPerAddress: capacityTable.bodyMiBPerAddress.most,
}

/** Holds the capacities that apply where `SIGNALBOX_RATE_LIMITS=off` sets no limit: each that somebody names is one. */
export const unlimitedCapacities: Capacities = {
  ...defaultCapacities,
  streams: Number.POSITIVE_INFINITY,
  streamsPerAddress: Number.POSITIVE_INFINITY,
  connectionsPerAddress: Number.POSITIVE_INFINITY,
}

/** Parses `SIGNALBOX_CAPACITY`, such as `streams=20000,bodyMiB=128`. Throws with advice when it cannot be parsed. */
export function parseCapacities(
  text: string | undefined,
  defaults: Capacities = defaultCapacities,
): Capacities {
  if (text === undefined || text.trim() === '') return defaults
  const capacities: Record<CapacityName, number> = { ...defaults }
  for (const part of text.split(',').map((each) => each.trim())) {
    const [, typedName, count] = /^([A-Za-z]+)=([1-9]\d{0,7})$/.exec(part) ?? []
    const name = names.find((known) => known === typedName)
    if (name === undefined || (name === 'connectionShare' && Number(count) >= 90)) {
      throw new Error(
        `SIGNALBOX_CAPACITY: "${part}" is not <name>=<count>, such as streams=20000. The names are ${names.join(', ')}; connectionShare is 1 to 89.`,
      )
    }
    capacities[name] = Number(count)
  }
  return capacities
}
