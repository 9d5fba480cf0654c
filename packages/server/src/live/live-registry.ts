import { Problem } from '@signalbox/contract'

/** Describes the target of a stream's bytes: the response of a request. */
export interface LiveSink {
  /** Holds how much was written and not yet taken by the client. */
  readonly writableLength: number
  write(text: string): unknown
  end(text: string): unknown
  destroy(): unknown
  on(event: 'close', listener: () => void): unknown
}

/** Identifies the reader of a stream. */
export interface LivePerson {
  readonly orgId: string
  readonly credentialId: string
  /** Holds the user; `null` for the bootstrap token. */
  readonly userId: string | null
}

/** Describes one open connection. */
export interface LiveStream extends LivePerson {
  readonly sink: LiveSink
}

/** Limits the open streams. */
export interface LiveRegistryOptions {
  /** Limits the streams of one person in one organization. A browser needs one. Default 12. */
  readonly perPerson?: number
  /** Limits the streams of this node. Default 2,000. */
  readonly perNode?: number
  readonly onSize?: (size: number) => void
}

/** Holds the open streams by organization. */
export interface LiveRegistry {
  readonly size: number
  organizations(): Iterable<string>
  of(orgId: string): Iterable<LiveStream>
  all(): Iterable<LiveStream>
  /** @throws {Problem} `too_many_streams`; `overloaded` when the node has no room */
  requireCapacity(person: LivePerson): void
  add(stream: LiveStream): void
  remove(stream: LiveStream): void
}

/** Limits a person to the streams of this many organizations at once. */
const organizationsMax = 5

/** Creates an empty registry. `onSize` is called with every new count. */
export function createLiveRegistry(options: LiveRegistryOptions): LiveRegistry {
  const { perPerson = 12, perNode = 2_000, onSize } = options
  const byOrganization = new Map<string, Set<LiveStream>>()
  let size = 0
  const resize = (by: number) => {
    size += by
    onSize?.(size)
  }
  return {
    get size() {
      return size
    },
    organizations: () => byOrganization.keys(),
    of: (orgId) => byOrganization.get(orgId) ?? [],
    *all() {
      for (const streams of byOrganization.values()) yield* streams
    },
    requireCapacity(person) {
      if (size >= perNode) throw nodeIsFull()
      const owner = ownerOf(person)
      let own = 0
      let ofAll = 0
      for (const [orgId, streams] of byOrganization) {
        for (const stream of streams) {
          if (ownerOf(stream) !== owner) continue
          ofAll += 1
          if (orgId === person.orgId) own += 1
        }
      }
      if (own >= perPerson) throw tooMany(perPerson)
      // Anybody may create organizations, so a person must not fill the node with streams of many.
      if (ofAll >= perPerson * organizationsMax) throw tooMany(perPerson)
    },
    add(stream) {
      const streams = byOrganization.get(stream.orgId) ?? new Set()
      byOrganization.set(stream.orgId, streams.add(stream))
      resize(1)
    },
    remove(stream) {
      const streams = byOrganization.get(stream.orgId)
      if (streams?.delete(stream) !== true) return
      if (streams.size === 0) byOrganization.delete(stream.orgId)
      resize(-1)
    },
  }
}

function ownerOf({ userId, credentialId }: LivePerson): string {
  return userId ?? credentialId
}

function nodeIsFull(): Problem {
  const detail = 'This node has reached its limit of open streams. Reconnect later.'
  return new Problem('overloaded', detail, { retryAfterSeconds: 10 })
}

function tooMany(most: number): Problem {
  const detail = `You may have at most ${most} open streams of one organization. Close one, or share one between tabs.`
  return new Problem('too_many_streams', detail, { retryAfterSeconds: 30 })
}
