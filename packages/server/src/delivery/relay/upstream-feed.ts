import { notFound } from '../../http/answers/problem-response.ts'
import { parseMark } from '../../replica/mark.ts'
import type { Signed } from '../../replica/signed.ts'
import { createPollLoop } from '../../store/follow/poll-loop.ts'
import type { Log } from '../../telemetry/log.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { Feed, FeedStatus } from '../cache/feed.ts'
import type { KeyReader } from '../cache/reader.ts'
import { createChangeSignal } from './change-signal.ts'
import { createMarkTimes, type MarkTimes } from './mark-times.ts'
import { createRejectionNotes } from './note-rejections.ts'
import type { ReplicaFeed } from './origin.ts'
import {
  dropTexts,
  emptyReplica,
  listMissing,
  readManifests,
  readMark,
  readRecord,
  settleInBatches,
  type ReplicaState,
} from './read-upstream.ts'
import { type ReplicaTarget, type Upstream, RefusedError, UpstreamError } from './upstream.ts'
import type { Rejection } from '../../replica/guards.ts'

/** Lists what the feed of a relay needs. */
export interface UpstreamFeedDeps {
  readonly upstream: Upstream
  readonly target: ReplicaTarget
  /** Returns whether a relay key reads at least what this relay's own key reads: a relay can sign no narrower view. */
  readonly mayPassOnTo: (reader: KeyReader) => boolean
  readonly metrics: Pick<Metrics, 'recordReplicaRefused' | 'watchEpoch'>
  readonly now: () => Date
  readonly log: Log
  readonly intervalMs: number
}

/** Describes a feed whose node passes on what it has got. */
export interface UpstreamFeed extends Feed, ReplicaFeed {
  /** Takes the mark that was saved before the last stop. */
  restore(mark: Signed): void
  /** Returns whether it has believed a mark that was signed after this moment of the node's clock. */
  hasReadSince(moment: Date): boolean
}

/** A mark is signed each second or two. From this age on somebody holds changes back, or nobody publishes. */
const oldMs = 15_000

/** Creates the feed of a relay. It follows the mark of its upstream, and believes only what the publisher has signed. */
export function createUpstreamFeed(deps: UpstreamFeedDeps): UpstreamFeed {
  const { upstream, mayPassOnTo, metrics, now, log, intervalMs } = deps
  const state = emptyReplica()
  metrics.watchEpoch(() => state.mark?.epoch)
  const times = createMarkTimes(now)
  const changes = createChangeSignal()
  const rejections = createRejectionNotes({ ...deps, host: upstream.host })
  const note = (refused: unknown) => rejections.note(refused)
  let readAt: Date | undefined
  let failure: unknown
  const loop = createPollLoop({
    async poll() {
      const before = state.signed?.text
      try {
        readAt = await pollUpstream({ ...deps, times }, state, note)
      } catch (error) {
        failure = error
        throw error
      }
      if (indexOf(before) !== indexOf(state.signed?.text)) changes.note()
    },
    feature: 'Published snapshots',
    from: 'upstream',
    explain: (cause) => describeFailure(cause, upstream.host),
    intervalMs,
    log,
  })
  let unfollow: (() => void) | undefined
  return {
    ...loop,
    start() {
      loop.start()
      unfollow = upstream.follow(() => loop.wake())
    },
    wake: () => loop.wake(),
    status: () => ({
      readAt,
      failure: loop.isFailing()
        ? describeFailure(failure, upstream.host)
        : describeAge(upstream, { readAt, now }),
    }),
    hasReadSince: (moment) => upstream.isStill === true || times.isAfter(moment),
    close() {
      unfollow?.()
      changes.close()
      void loop.close()
    },
    restore(signed) {
      state.mark = parseMark(signed.text)
    },
    mark(reader) {
      if (state.signed === undefined || readAt === undefined || !mayPassOnTo(reader)) {
        throw notFound()
      }
      return state.signed
    },
    find: (reader, sha256) => (mayPassOnTo(reader) ? state.texts.get(sha256) : undefined),
    onChange: (listener) => changes.onChange(listener),
  }
}

function describeAge(
  { host, isStill }: Upstream,
  { readAt, now }: Pick<FeedStatus, 'readAt'> & Pick<UpstreamFeedDeps, 'now'>,
): string | undefined {
  const ageMs = readAt === undefined ? 0 : now().getTime() - readAt.getTime()
  if (isStill === true || ageMs < oldMs) return undefined
  return `${host} shows nothing newer than ${Math.round(ageMs / 1_000)} s: nobody publishes, or a link behind it is broken.`
}

function indexOf(mark: string | undefined): string | undefined {
  return mark === undefined ? undefined : parseMark(mark)?.index
}

/** Reads what is new, and returns the time of the mark up to which everything is there. Calls `note` with each failure. */
async function pollUpstream(
  deps: UpstreamFeedDeps & { readonly times: MarkTimes },
  state: ReplicaState,
  note: (failure: unknown) => void,
): Promise<Date> {
  const { upstream, target, times, now } = deps
  const noteAndThrow = (error: unknown) => {
    note(error)
    throw toError(error)
  }
  const read = await readMark(state, upstream, now().getTime()).catch(noteAndThrow)
  // Believed from here on, so that nothing older is taken any more, whether or not all of it can be fetched.
  state.mark = read.mark
  if (read.signed.text !== state.signed?.text) target.saveMark(read.signed)
  if (read.mark.index !== state.taken) {
    state.taken = undefined
    state.manifests = await readManifests(state, upstream, read.index).catch(noteAndThrow)
    const failure = await takeMissing(deps, state, { mark: read.signed, note })
    if (failure !== undefined) throw toError(failure)
    state.texts.set(read.mark.index, read.indexText)
    state.taken = read.mark.index
    dropTexts(state)
  }
  if (read.signed.text !== state.signed?.text) times.note(read.mark.atMs)
  state.signed = read.signed
  return new Date(read.mark.atMs)
}

/**
 * Takes the records that are missing, and removes what is listed no longer. Returns the first failure: one bad record holds up no
 * other.
 */
async function takeMissing(
  { upstream, target }: UpstreamFeedDeps,
  state: ReplicaState,
  { mark, note }: { readonly mark: Signed; readonly note: (failure: unknown) => void },
): Promise<unknown> {
  const missing = listMissing(state)
  let failure: unknown
  const read = await settleInBatches(missing, async (each) => {
    const { header, content, text } = await readRecord(state, upstream, each)
    return { ...each, text, record: target.readRecord(header, content) }
  })
  for (const each of read) {
    if (each.status === 'fulfilled') continue
    note(each.reason)
    failure ??= each.reason
  }
  const fetched = read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const addresses = listAddresses(state)
  await target.take({ mark, records: fetched.map(({ record }) => record), addresses })
  for (const { address, name, text, record } of fetched) {
    state.headers.set(address, { header: record.header, name })
    // Only to pass them on: a node that feeds nobody would hold everything twice.
    if (upstream.keyHandle !== undefined) state.texts.set(name, text)
  }
  for (const address of state.headers.keys())
    if (!addresses.has(address)) state.headers.delete(address)
  return failure
}

function listAddresses({ manifests }: ReplicaState): ReadonlySet<string> {
  return new Set([...manifests.values()].flatMap(({ listing }) => [...listing.keys()]))
}

function toError(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error('The upstream failed', { cause: failure })
}

/** Says in one sentence why the upstream feeds this node no longer, and what to do about it where that is known. */
function describeFailure(failure: unknown, host: string): string {
  if (failure instanceof RefusedError) return describeRejection(failure.reason, host)
  return failure instanceof UpstreamError ? failure.message : `The upstream ${host} cannot be read.`
}

function describeRejection(reason: Rejection, host: string): string {
  switch (reason) {
    case 'signature':
      return `The upstream ${host} offers what no key in SIGNALBOX_PUBLISHER_KEYS has signed. Compare them with those that signalbox publisher-keys prints.`
    case 'older':
      return `The upstream ${host} offers an older state than this node has had. If its database was restored, run there: signalbox publisher-keys new-epoch`
    case 'future':
      return `The mark of the upstream ${host} is over five minutes ahead of the clock of this node. Set the clocks.`
    case 'unreadable':
    case 'hash':
    case 'address':
    case 'fork':
    case 'too_old':
    case 'not_in_manifest':
      return `The upstream ${host} offers what is not as it was signed (${reason}).`
    default:
      return reason satisfies never
  }
}
