import type { Hint } from '../store.ts'
import { createPollLoop, type PollLoop, type PollLoopOptions } from './poll-loop.ts'

/** Holds what one statement found, not applied yet. */
export interface FoundChanges {
  /** The oldest transaction that was open at that moment: `pg_snapshot_xmin`. */
  readonly xmin: bigint
  /** Takes the rows over. `isWhole`: they are all there are, and what is missing among them is gone. */
  apply(isWhole: boolean): Promise<void> | void
}

/** Describes rows that carry the number of the transaction that changed them. */
export interface FollowOptions extends Omit<PollLoopOptions, 'poll'> {
  /** Reads what transaction `since` or a later one changed, or everything, in one statement that sees one moment. */
  readonly read: (since: bigint | undefined) => Promise<FoundChanges>
  /** After how many polls everything is read again, so that no mistake lasts. */
  readonly pollsPerWholeRead: number
}

/** Keeps memory equal to rows of the database. */
export interface ChangeFollower extends Omit<PollLoop, 'wake'> {
  /** Polls soon. `joined`: announcements may have been missed, so everything is read. */
  wake(announcement: Hint): void
}

/**
 * Follows changes by the number of their transaction (docs/decisions/0009). Rows of transactions that were open at one poll
 * are not below its xmin, so that reading from the last xmin on misses none; some come twice. After a failure everything is
 * read again: the database may come back as another one. Numbers only grow, so a smaller xmin says the same.
 */
export function followChanges({ read, pollsPerWholeRead, ...loop }: FollowOptions): ChangeFollower {
  let watermark: bigint | undefined
  let isStale = true
  let polls = 0

  const poll = async (): Promise<void> => {
    const isWhole = isStale || polls % pollsPerWholeRead === 0
    // Set again during this poll, it holds for the next one.
    isStale = false
    try {
      await take(isWhole)
    } catch (error) {
      isStale = true
      throw error
    }
  }
  const take = async (isWhole: boolean): Promise<void> => {
    const found = await read(isWhole ? undefined : watermark)
    if (watermark !== undefined && found.xmin < watermark) {
      const { feature } = loop
      loop.log.warn('The database was replaced by another one; everything is read again', {
        feature,
      })
      watermark = undefined
      await take(true)
      return
    }
    await found.apply(isWhole)
    watermark = found.xmin
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
