import { notFound } from '../../http/answers/problem-response.ts'
import { parseMark } from '../../replica/mark.ts'
import type { Signed } from '../../replica/signed.ts'
import { createPollLoop } from '../../store/follow/poll-loop.ts'
import type { Log } from '../../telemetry/log.ts'
import type { Feed } from '../cache/feed.ts'
import type { KeyReader } from '../cache/reader.ts'
import type { ReplicaFeed } from './origin.ts'
import {
  dropTexts,
  emptyReplica,
  listMissing,
  readManifests,
  readMark,
  readRecord,
  settleInBatches,
  type MissingRecord,
  type ReadMark,
  type ReplicaState,
} from './read-upstream.ts'
import { UpstreamFault, type ReplicaTarget, type Upstream } from './upstream.ts'

/** Lists what the feed of a relay needs. */
export interface UpstreamFeedDeps {
  readonly upstream: Upstream
  readonly target: ReplicaTarget
  /** Returns whether a relay key reads at least what this relay's own key reads: a relay can sign no narrower view. */
  readonly mayPassOnTo: (reader: KeyReader) => boolean
  readonly now: () => Date
  readonly log: Log
  /** Default 1,000. */
  readonly intervalMs?: number
}

/** Describes a feed whose node passes on what it has got. */
export interface UpstreamFeed extends Feed, ReplicaFeed {
  /** Takes the mark that was saved before the last stop. */
  restore(mark: Signed): void
}

/** Creates the feed of a relay. It follows the mark of its upstream, and believes only what the publisher has signed. */
export function createUpstreamFeed(deps: UpstreamFeedDeps): UpstreamFeed {
  const { upstream, mayPassOnTo, log, intervalMs = 1_000 } = deps
  const state = emptyReplica()
  let readAt: Date | undefined
  let reason: string | undefined
  const loop = createPollLoop({
    async poll() {
      try {
        readAt = await pollUpstream(deps, state)
      } catch (error) {
        reason = error instanceof UpstreamFault ? error.message : undefined
        throw error
      }
    },
    feature: 'Published snapshots',
    from: 'upstream',
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
      fault: loop.isFailing()
        ? `${reason ?? `The upstream ${upstream.host} cannot be read, or is not believed.`} The node serves the snapshots in its memory.`
        : undefined,
    }),
    close() {
      unfollow?.()
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
  }
}

/** Reads what is new, and returns the time of the mark up to which everything is there. */
async function pollUpstream(
  { upstream, target, now }: UpstreamFeedDeps,
  state: ReplicaState,
): Promise<Date> {
  const read = await readMark(state, upstream, now().getTime())
  // Believed from here on, so that nothing older is taken any more, whether or not all of it can be fetched.
  state.mark = read.mark
  if (read.signed.text !== state.signed?.text) target.saveMark(read.signed)
  if (read.mark.index !== state.taken) await takeAll({ upstream, target }, state, read)
  state.signed = read.signed
  return new Date(read.mark.atMs)
}

async function takeAll(
  { upstream, target }: Pick<UpstreamFeedDeps, 'upstream' | 'target'>,
  state: ReplicaState,
  { mark, index, indexText }: ReadMark,
): Promise<void> {
  state.taken = undefined
  state.manifests = await readManifests(state, upstream, index)
  const missing = listMissing(state)
  let fault: unknown
  const records = await settleInBatches(missing, (record) => readRecord(state, upstream, record))
  for (const [at, record] of records.entries()) {
    const entry = missing[at]
    if (record.status === 'rejected') fault ??= record.reason
    else if (entry !== undefined) take({ upstream, target }, state, entry, record.value)
  }
  keepListed(target, state)
  if (fault !== undefined) throw toError(fault)
  state.texts.set(mark.index, indexText)
  state.taken = mark.index
  dropTexts(state)
}

function take(
  { upstream, target }: Pick<UpstreamFeedDeps, 'upstream' | 'target'>,
  { headers, texts }: ReplicaState,
  { address, name }: MissingRecord,
  { header, content, text }: Awaited<ReturnType<typeof readRecord>>,
): void {
  target.apply(header, content)
  headers.set(address, { header, name })
  // Only to pass them on: a node that feeds nobody would hold everything twice.
  if (upstream.keyHandle !== undefined) texts.set(name, text)
}

/** Removes what is listed no longer, and what the disk still had of it. */
function keepListed(target: ReplicaTarget, { manifests, headers }: ReplicaState): void {
  const addresses = new Set([...manifests.values()].flatMap(({ listing }) => [...listing.keys()]))
  for (const address of headers.keys()) if (!addresses.has(address)) headers.delete(address)
  target.keepOnly(addresses)
}

function toError(fault: unknown): Error {
  return fault instanceof Error ? fault : new Error('The upstream failed', { cause: fault })
}
