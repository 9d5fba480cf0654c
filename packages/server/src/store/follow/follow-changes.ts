import type { Announcement } from '../store.ts'
import { createPollLoop, type PollLoop, type PollLoopOptions } from './poll-loop.ts'

/** Holds the rows of one poll, not applied yet. */
export interface PolledChanges {
  /** Holds the oldest transaction that was open at that moment: `pg_snapshot_xmin`. */
  readonly xmin: bigint
  /** Applies the rows. `isWhole`: they are all rows there are, and what is missing among them is gone. */
  apply(isWhole: boolean): Promise<void> | void
}

/** Describes rows that carry the number of the transaction that changed them. */
export interface FollowOptions extends Omit<PollLoopOptions, 'poll'> {
  /** Reads what transaction `since` or a later one changed, or everything, in one statement that sees one moment. */
  readonly read: (since: bigint | undefined) => Promise<PolledChanges>
  /** Reads everything again after this many polls, so that no mistake lasts. */
  readonly pollsPerWholeRead: number
}

/** Keeps memory equal to rows of the database. */
export interface ChangeFollower extends Omit<PollLoop, 'wake'> {
  /** Polls soon. After `joined`, which means missed announcements, it reads everything. */
  wake(announcement: Announcement): void
}

/**
 * Follows changes by the number of their transaction (docs/decisions/0009). Rows of transactions that were open at one
 * poll are not below its xmin, so reading from the last xmin on misses none; some come twice. After a failure it reads
 * everything again, because the database may have been replaced. Numbers only grow, so a smaller xmin means a replaced
 * database.
 */
export function followChanges({ read, pollsPerWholeRead, ...loop }: FollowOptions): ChangeFollower {
  let watermark: bigint | undefined
  let isStale = true
  let polls = 0

  const poll = async (): Promise<void> => {
    const isWhole = isStale || polls % pollsPerWholeRead === 0
    // If it is set again during this poll, it applies to the next one.
    isStale = false
    try {
      await take(isWhole)
    } catch (error) {
      isStale = true
      throw error
    }
  }
  const take = async (isWhole: boolean): Promise<void> => {
    const polled = await read(isWhole ? undefined : watermark)
    if (watermark !== undefined && polled.xmin < watermark) {
      const { feature } = loop
      loop.log.warn('Another database has replaced this one; reading everything again', {
        feature,
      })
      watermark = undefined
      await take(true)
      return
    }
    await polled.apply(isWhole)
    watermark = polled.xmin
    polls += 1
  }
  const polling = createPollLoop({ ...loop, poll })
  return {
    ...polling,
    wake(announcement) {
      if (announcement === 'joined') isStale = true
      polling.wake()
    },
  }
}
