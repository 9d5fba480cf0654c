import { createPollLoop } from '../store/follow/poll-loop.ts'
import type { Log } from '../telemetry/log.ts'
import type { LivePerson, LiveStream } from './live-registry.ts'
import type { LiveStreams } from './live-streams.ts'

/** Which of these people may still read, in the order they are given. */
export type CheckLivePeople = (people: readonly LivePerson[]) => Promise<readonly boolean[]>

export interface EndStreamsDeps {
  readonly streams: Pick<LiveStreams, 'all' | 'end'>
  readonly check: CheckLivePeople
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Default 1,000: a stream outlives what it was opened with by less than twice this. */
  readonly intervalMs?: number
}

/**
 * Ends the streams of sessions and tokens that ended, of people who are members no more, and of organizations that were
 * deleted: one question a second for all of them. While the database is away nothing is ended, and nothing is told either.
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
