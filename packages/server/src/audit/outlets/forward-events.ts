import type { Store } from '../../store/store.ts'
import type { Log } from '../../telemetry/log.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { ForwardedEvent, Outlet, SendOutcome } from './outlet.ts'
import {
  endBatch,
  holdChain,
  leaseOutlet,
  listForwardedEvents,
  listWaitingChains,
  movePosition,
  type EndedBatch,
  type SentFrom,
  type WaitingChain,
} from './outlet-rows.ts'

/** Describes what forwarding works with. */
export interface ForwardDeps {
  readonly store: Pick<Store, 'maintenance'>
  readonly now: () => Date
  /** Names the life of this node. */
  readonly nodeId: string
  readonly log: Pick<Log, 'warn' | 'info'>
  readonly metrics: Pick<Metrics, 'recordAuditSent' | 'recordAuditFailure'>
  /** Aborted when the process stops: no further batch is sent. */
  readonly stop: AbortSignal
}

/** Longer than an attempt and what follows it: a node that lives is not overtaken. */
const leaseMs = 60_000
const chainsPerPoll = 50
/** Limits the text of a batch, about: one event can be larger. */
const batchBytes = 1024 * 1024
const longestDelaySeconds = 300

/**
 * Sends every event that has not left through `outlet`, in the order of each chain, at least once. One node sends at a time:
 * it commits how far a chain has left after the receiver has answered, so that whatever ends it between the two only
 * repeats a batch. Returns how many batches were taken.
 */
export async function forwardEvents(deps: ForwardDeps, outlet: Outlet): Promise<number> {
  const { store, now, nodeId } = deps
  const { name } = outlet
  const waiting = await store.maintenance((tx) =>
    listWaitingChains(tx, name, { now: now(), limit: 1 }),
  )
  if (waiting.length === 0) return 0
  const lease = await store.maintenance((tx) =>
    leaseOutlet(tx, name, { holder: nodeId, now: now(), until: leaseEnd(now()) }),
  )
  if (lease === undefined) return 0
  const batch = new Batch(deps, outlet, lease.fence)
  await batch.sendAll()
  await batch.end(lease.attempts)
  return batch.taken
}

function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + leaseMs)
}

/** Returns how long a failure is waited for: 2, 4, 8 … 300 seconds, or what the receiver asks for up to that. */
export function delayAfter(attempts: number, retryAfterSeconds = 0): number {
  const own = Math.min(longestDelaySeconds, 2 ** Math.min(attempts, 20))
  return Math.max(own, Math.min(retryAfterSeconds, longestDelaySeconds))
}

type Failed = Exclude<SendOutcome, { readonly state: 'taken' }>

/** Sends what waits until nothing does, the receiver fails, or another node has the lease. */
class Batch {
  readonly #deps: ForwardDeps
  readonly #outlet: Outlet
  readonly #fence: number
  /** Halved when a batch is refused, so that a faulty event is found and others leave. */
  #limit: number
  #failure: Failed | undefined
  #isOvertaken = false
  taken = 0

  constructor(deps: ForwardDeps, outlet: Outlet, fence: number) {
    this.#deps = deps
    this.#outlet = outlet
    this.#fence = fence
    this.#limit = outlet.batchMax
  }

  async sendAll(): Promise<void> {
    const { store, now } = this.#deps
    for (;;) {
      const chains = await store.maintenance((tx) =>
        listWaitingChains(tx, this.#outlet.name, { now: now(), limit: chainsPerPoll }),
      )
      if (chains.length === 0) return
      for (const chain of chains) {
        await this.#sendNext(chain)
        if (this.#hasEnded()) return
      }
    }
  }

  #hasEnded(): boolean {
    return this.#deps.stop.aborted || this.#isOvertaken || this.#failure?.state === 'failed'
  }

  async #sendNext(chain: WaitingChain): Promise<void> {
    const { store } = this.#deps
    const { orgId, sequence, newestSequence, newestHash } = chain
    const page = { afterSequence: sequence, limit: this.#limit }
    const read = await store.maintenance((tx) => listForwardedEvents(tx, orgId, page))
    const events = cutBatch(read)
    const last = events.at(-1)
    if (last === undefined) {
      // Somebody took the newest events out of the table: `verify-audit` names it, and other chains go on.
      await this.#hold(chain, { state: 'refused', reason: 'events_missing' })
      return
    }
    const newest = { sequence: newestSequence, hash: newestHash }
    const outcome = await this.#outlet.send({ orgId, newest, events })
    if (outcome.state === 'taken') await this.#move(orgId, last.sequence, events.length, outcome)
    else await this.#fail(chain, outcome, events.length)
  }

  async #move(
    orgId: string,
    sequence: number,
    count: number,
    { rejected }: { readonly rejected: number },
  ): Promise<void> {
    const { store, now, metrics, log } = this.#deps
    const { name, batchMax } = this.#outlet
    this.taken += 1
    metrics.recordAuditSent(name, count)
    this.#limit = Math.min(batchMax, this.#limit * 2)
    if (rejected > 0) {
      log.warn('The receiver of the audit log has not kept events', { orgId, count: rejected })
    }
    const leaseUntil = leaseEnd(now())
    this.#isOvertaken = !(await store.maintenance((tx) =>
      movePosition(tx, this.#sentFrom(orgId), { sequence, rejected, leaseUntil }),
    ))
  }

  async #fail(chain: WaitingChain, failed: Failed, count: number): Promise<void> {
    if (failed.state === 'refused' && count > 1) {
      this.#limit = Math.max(1, Math.floor(count / 2))
      return
    }
    this.#deps.metrics.recordAuditFailure(this.#outlet.name, failed.reason)
    if (failed.state === 'refused') await this.#hold(chain, failed)
    else this.#failure = failed
  }

  async #hold(chain: WaitingChain, failed: Failed): Promise<void> {
    const { store, now } = this.#deps
    this.#failure = failed
    this.#limit = this.#outlet.batchMax
    const attempts = chain.attempts + 1
    const nextAttemptAt = secondsAfter(now(), delayAfter(attempts, failed.retryAfterSeconds))
    await store.maintenance((tx) =>
      holdChain(tx, this.#sentFrom(chain.orgId), { attempts, nextAttemptAt }),
    )
  }

  #sentFrom(orgId: string): SentFrom {
    return { outlet: this.#outlet.name, fence: this.#fence, orgId, now: this.#deps.now() }
  }

  async end(attemptsBefore: number): Promise<void> {
    const { store, now, log } = this.#deps
    const failure = this.#describeFailure(attemptsBefore)
    if (failure !== null && (attemptsBefore === 0 || failure.attempts === 0)) {
      log.warn('The audit log does not leave', { reason: failure.reason })
    } else if (failure === null && attemptsBefore > 0) {
      log.info('The audit log leaves again')
    }
    const ended = { fence: this.#fence, now: now(), failure }
    await store.maintenance((tx) => endBatch(tx, this.#outlet.name, ended))
  }

  #describeFailure(attemptsBefore: number): EndedBatch['failure'] {
    if (this.#failure === undefined) return null
    const { state, reason, retryAfterSeconds } = this.#failure
    if (state === 'refused') return { reason, attempts: 0, nextAttemptAt: null }
    // A receiver that took something before it failed begins again.
    const attempts = this.taken > 0 ? 1 : attemptsBefore + 1
    const delay = delayAfter(attempts, retryAfterSeconds)
    return { reason, attempts, nextAttemptAt: secondsAfter(this.#deps.now(), delay) }
  }
}

function cutBatch(events: readonly ForwardedEvent[]): readonly ForwardedEvent[] {
  let bytes = 0
  const end = events.findIndex(({ detail }, index) => {
    bytes += 1_000 + JSON.stringify(detail).length
    return index > 0 && bytes > batchBytes
  })
  return end === -1 ? events : events.slice(0, end)
}

function secondsAfter(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000)
}
