import type { Change } from '@signalbox/contract/rest'
import type { TimelineSearch } from './search.ts'

/** Holds a change of the list, or the mark of a moment between two. */
export interface MarkedEntry {
  readonly at: string
  /** Left out: the mark. */
  readonly change?: Change
  readonly isMarked: boolean
}

/**
 * Marks the changes of a moment, or adds a mark where it lies among the others, which are sorted newest first. There is no mark
 * after the last of them as long as the server has more.
 */
export function markMoment(
  changes: readonly Change[],
  { at: moment, mark }: Pick<TimelineSearch, 'at' | 'mark'>,
  hasMore: boolean,
): readonly MarkedEntry[] {
  const time = moment === undefined ? Number.NaN : Date.parse(moment)
  const entries: readonly MarkedEntry[] = changes.map((change) => {
    const isMarked = mark === undefined ? Date.parse(change.at) === time : change.id === mark
    return { at: change.at, change, isMarked }
  })
  if (moment === undefined || entries.some(({ isMarked }) => isMarked)) return entries
  const older = entries.findIndex(({ at }) => Date.parse(at) < time)
  if (older === -1 && hasMore) return entries
  return entries.toSpliced(older === -1 ? entries.length : older, 0, {
    at: new Date(time).toISOString(),
    isMarked: true,
  })
}
