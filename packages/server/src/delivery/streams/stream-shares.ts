import { shares, type Asker } from '../../http/admission/fair-rate.ts'
import type { NodeCounts } from '../../http/admission/node-counts.ts'
import type { Counted } from './counter.ts'
import { createNodeCounter } from './node-counter.ts'

/** Returns whether a stream counts for a group. */
export type IsOfGroup = (asker: Asker) => boolean

/** Holds how many streams each organization, credential and network has. */
export interface Groups {
  add(asker: Asker): void
  remove(asker: Asker): void
  /**
   * Returns whose streams have to make room for one of `asker` on a node that holds at most `most`: the organization,
   * credential or network that has more than its share. A group gives way to others, and not to one of its own.
   */
  findCrowding(asker: Asker, most: number): IsOfGroup | undefined
}

const kinds = ['organization', 'credential', 'network'] as const

/** Creates empty groups. With `counts` they are those of the node, else those of this process. */
export function createGroups(counts: NodeCounts | undefined): Groups {
  const counters = kinds.map((kind) => {
    return { kind, counter: createNodeCounter(counts?.openHeld(`streams ${kind}`)) }
  })
  return {
    add(asker) {
      for (const { kind, counter } of counters) {
        const name = asker[kind]
        if (name !== undefined) counter.add(name)
      }
    },
    remove(asker) {
      for (const { kind, counter } of counters) {
        const name = asker[kind]
        if (name !== undefined) counter.drop(name)
      }
    },
    findCrowding(asker, most) {
      for (const { kind, counter } of counters) {
        const crowd = counter.findMost()
        if (crowd === undefined || crowd.count <= most * shares.organization) continue
        if (crowd.key !== asker[kind]) return (other) => other[kind] === crowd.key
      }
      return undefined
    },
  }
}

/** Accepts the streams of everybody. */
export const everyStream: IsOfGroup = () => true

interface HeldStream {
  readonly asker: Asker
  readonly subject: Counted<string>
  readonly number: number
}

/** Returns the newest stream of the credential and address that have most of them within a group. */
export function findNewestOfMost<Held extends HeldStream>(
  streams: Iterable<Held>,
  isOfGroup: IsOfGroup,
): Held | undefined {
  let chosen: Held | undefined
  for (const stream of streams) {
    if (!isOfGroup(stream.asker)) continue
    const more = stream.subject.count - (chosen?.subject.count ?? 0)
    if (chosen === undefined || more > 0 || (more === 0 && stream.number > chosen.number)) {
      chosen = stream
    }
  }
  return chosen
}
