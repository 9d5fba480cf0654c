import { createPollLoop } from '../store/follow/poll-loop.ts'
import type { Log } from '../telemetry/log.ts'
import type { LivePerson, LiveStream } from './live-registry.ts'
import type { LiveStreams } from './live-streams.ts'

/** Returns for each person, in the given order, whether they may still read. */
export type CheckLivePeople = (people: readonly LivePerson[]) => Promise<readonly boolean[]>

/** Describes the streams and how their readers are checked. */
export interface EndStreamsDeps {
  readonly streams: Pick<LiveStreams, 'all' | 'end'>
  readonly check: CheckLivePeople
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Sets how often readers are checked. Default 1,000: a stream outlives its credential by less than twice this. */
  readonly intervalMs?: number
}

/**
 * Ends the streams of expired sessions and tokens, of former members, and of deleted organizations, with one query a
 * second for all streams. While the database is down no stream is ended, and no change is sent either.
 */
export function endStreamsInTime(deps: EndStreamsDeps): { close(): Promise<void> } {
  const { streams, check, log, intervalMs = 1_000 } = deps
  const checkAll = async () => {
    const byPerson = Map.groupBy(streams.all(), nameOf)
    if (byPerson.size === 0) return
    const groups: (readonly LiveStream[])[] = [...byPerson.values()]
    const people = groups.flatMap(([first]) => first ?? [])
    const allowed = await check(people)
    groups.forEach((group, index) => {
      if (allowed[index] !== true) for (const stream of group) streams.end(stream)
    })
  }
  const loop = createPollLoop({ poll: checkAll, feature: 'Sessions and members', intervalMs, log })
  loop.start()
  return { close: () => loop.close() }
}

function nameOf({ orgId, credentialId, userId }: LivePerson): string {
  return `${orgId} ${credentialId} ${userId}`
}
