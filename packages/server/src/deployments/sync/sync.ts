import type { codehostEndpoints, ResponseOf } from '@signalbox/contract/rest'
import { z } from 'zod'

/**
 * Names how far a sync goes. `full`: as far back as is kept. `newest`: the newest page of each repository, every few hours. `issues`:
 * nothing of the code host, but the issues that recent deployments name.
 */
export type SyncDepth = 'full' | 'newest' | 'issues'

type ShownSync = ResponseOf<typeof codehostEndpoints.getSync>
type Progress = ShownSync['repositories']

/** Describes how far a sync is, for people. */
export interface SyncProgress {
  readonly repositories: Progress
  readonly webhooks: Progress
  readonly environments: Progress
  readonly deployments: Progress
  readonly missedWebhooks: number
  readonly issues: Progress
  /** Counts the issues that no longer were as Signalbox had stored them. */
  readonly changedIssues: number
}

/**
 * Lists the steps of a sync. Those of a code host are in order: the webhooks come early, because what they report from
 * then on need not be read. A sync of issues has only the last step.
 */
const syncSteps = ['repositories', 'webhooks', 'environments', 'deployments', 'issues'] as const

/** Names a step, which is also what its progress counts. */
export type SyncStep = (typeof syncSteps)[number]

/** Describes where a sync continues. */
export interface SyncCursor {
  readonly step: SyncStep
  /** The last repository that is done with in this step, by our id; in a sync of issues the last key. */
  readonly after: string
  /** The page that is being read, as the host named it; `null`: the first. */
  readonly page: string | null
  /** Deployments of this page that are done, and those of the page before, which move to this one when new ones come. */
  readonly done: readonly string[]
  readonly before: readonly string[]
  /** Counts the deployments of this repository that are done. */
  readonly count: number
  /** Counts the deployments that are to be read, of the repositories that were asked so far. */
  readonly expected: number
  /** Sentences for people about what could not be read; the first few. */
  readonly skipped: readonly string[]
}

/** Describes a sync as it is stored. */
export interface Sync {
  readonly id: string
  readonly depth: SyncDepth
  readonly state: ShownSync['state']
  readonly progress: SyncProgress
  readonly cursor: SyncCursor
  readonly revision: number
  readonly detail: string | null
  readonly startedAt: Date
  readonly finishedAt: Date | null
}

const nothing: Progress = { done: 0, total: null }
/** Holds the progress of a sync that has not begun. */
export const noProgress: SyncProgress = {
  repositories: nothing,
  webhooks: nothing,
  environments: nothing,
  deployments: nothing,
  missedWebhooks: 0,
  issues: nothing,
  changedIssues: 0,
}

/** Returns the cursor of a sync that has not begun. */
export function startOfSync(depth: SyncDepth): SyncCursor {
  return {
    step: depth === 'issues' ? 'issues' : 'repositories',
    after: '',
    page: null,
    done: [],
    before: [],
    count: 0,
    expected: 0,
    skipped: [],
  }
}

const cursor = z.object({
  step: z.enum(syncSteps),
  after: z.string(),
  page: z.string().nullable(),
  done: z.array(z.string()),
  before: z.array(z.string()),
  count: z.number(),
  expected: z.number(),
  skipped: z.array(z.string()),
})

/** Parses the cursor of a sync. One that another version wrote in another form begins again. */
export function parseSyncCursor(stored: unknown, depth: SyncDepth): SyncCursor {
  return cursor.safeParse(stored).data ?? startOfSync(depth)
}

/** Limits the deployments of a repository that a full sync reads, beside `ageMaxMs`. */
export const deploymentsMax = 1000
/** Limits, in milliseconds, how far back a full sync goes. */
export const ageMaxMs = 90 * 86_400_000
const newestMax = 100

/** Returns how many deployments of one repository a sync reads at most. */
export function readMaxOf({ depth }: Pick<Sync, 'depth'>): number {
  return depth === 'full' ? deploymentsMax : newestMax
}

const recentMs = 86_400_000

/**
 * Code hosts name a moment in whole seconds: what was deployed in the second of the connection would count as deployed before
 * it, and be neither tested nor announced.
 */
const hostResolutionMs = 1_000

/** Returns the moment from which deployments are news: the second of the connection, at most a day before they are found. */
export function recentSinceOf({ startedAt }: Pick<Sync, 'startedAt'>, connectedAt: Date): Date {
  const connectedMs = connectedAt.getTime() - (connectedAt.getTime() % hostResolutionMs)
  return new Date(Math.max(connectedMs, startedAt.getTime() - recentMs))
}

const skippedShown = 3

/** Records what is left out. */
export function skip(cursor: SyncCursor, sentence: string): SyncCursor {
  const { skipped } = cursor
  return skipped.length < skippedShown ? { ...cursor, skipped: [...skipped, sentence] } : cursor
}

/** Adds to what is done of a kind. */
export function countDone(progress: SyncProgress, kind: SyncStep, count: number): SyncProgress {
  const { done, total } = progress[kind]
  return setTotal({ ...progress, [kind]: { done: done + count, total } }, kind, total)
}

/** Sets the expected number of a kind, as far as it is known: never fewer than are done. */
export function setTotal(
  progress: SyncProgress,
  kind: SyncStep,
  expected: number | null,
): SyncProgress {
  const { done } = progress[kind]
  return {
    ...progress,
    [kind]: { done, total: expected === null ? null : Math.max(done, expected) },
  }
}

/** Marks a kind as complete. */
export function closeKind(progress: SyncProgress, kind: SyncStep): SyncProgress {
  const { done } = progress[kind]
  return { ...progress, [kind]: { done, total: done } }
}
