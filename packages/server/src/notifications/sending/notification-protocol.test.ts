import { describe, expect, it } from 'vitest'
import type { ChatReference } from '../../providers/chat.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { explainChatError } from '../../providers/chat-dialects.ts'
import {
  beginProgress,
  keyName,
  nextAttemptAt,
  park,
  planStep,
  releaseProgress,
  renewMessage,
  settleProgress,
  type Progress,
  type Step,
  type StepOutcome,
} from './notification-protocol.ts'
import { faultSeed, seededRandom } from '../testing/seeded-random.ts'

const fresh: Progress = {
  state: 'wanted',
  desiredRev: 1,
  sentRev: 0,
  reference: null,
  ambiguous: false,
  generation: 1,
  form: 'full',
  frozen: false,
  failures: 0,
  reason: null,
}
const all = { idempotencyKey: true, update: true, threads: true }
const reference = { channelId: 'C1', messageId: '1.1' }
const live: Progress = { ...fresh, state: 'live', reference, sentRev: 1 }

const failed = (
  code: string,
  failure: ProviderError['failure'] = 'rejected',
  retryAt?: Date,
): StepOutcome => ({
  type: 'failed',
  explanation: explainChatError(new ProviderError({ provider: 'slack', failure, code, retryAt })),
})

/** One step of `progress` with an outcome that is given. */
function stepWith(progress: Progress, outcome: StepOutcome): Progress {
  const step = planStep(progress, all)
  if (step === undefined) throw new Error('There is nothing to do.')
  return settleProgress(beginProgress(progress, step), step, outcome)
}

const faultRate = 0.05
const runs = 20_000

interface Strategy {
  /** Whether the provider takes a post with a known key for the message that is there. */
  readonly keyed: boolean
  /** What the provider is known to be able to do. */
  readonly capabilities: typeof all
  readonly settle: (progress: Progress, step: Step, outcome: StepOutcome) => Progress
}

const protocol: Strategy = { keyed: true, capabilities: all, settle: settleProgress }
const naive: Strategy = { ...protocol, keyed: false }
const atMostOnce: Strategy = { ...naive, capabilities: { ...all, idempotencyKey: false } }
const withoutForcedUpdate: Strategy = {
  ...protocol,
  settle: (progress, step, outcome) =>
    settleProgress(progress, step.type === 'post' ? { ...step, isFirst: true } : step, outcome),
}

const want = (row: Progress): Progress => ({ ...row, desiredRev: row.desiredRev + 1 })

/** One notification, from the first revision to the last, in a world where anything fails. */
function simulate({ keyed, capabilities, settle }: Strategy, seed: number) {
  const random = seededRandom(seed)
  const happens = () => random() < faultRate
  const messages: { readonly key: string; rev: number }[] = []
  const call = (step: Step, key: string): StepOutcome => {
    const lost = failed('request_timeout', 'ambiguous')
    if (happens()) return lost
    let index = step.type === 'post' ? -1 : Number(step.reference.messageId)
    if (step.type === 'post' && keyed) index = messages.findIndex((message) => message.key === key)
    if (step.type === 'post' && index === -1) {
      index = messages.push({ key, rev: step.rev }) - 1
    } else if (step.type !== 'post') {
      const message = messages[index]
      if (message !== undefined) message.rev = step.rev
    }
    if (happens()) return lost
    if (step.type !== 'post') return { type: 'done' }
    return { type: 'posted', reference: { channelId: 'C1', messageId: String(index) } }
  }
  const lastRev = 1 + Math.floor(random() * 4)
  let row = fresh
  for (let turn = 0; turn < 1_000; turn += 1) {
    if (row.desiredRev < lastRev && random() < 0.5) row = want(row)
    const step = planStep(row, capabilities)
    if (step === undefined) {
      if (row.desiredRev === lastRev) break
      continue
    }
    if (happens()) continue
    row = beginProgress(row, step)
    if (happens()) continue
    const outcome = call(step, keyName('ntf_1', row, step))
    if (happens()) continue
    row = settle(row, step, outcome)
  }
  return { count: messages.length, isFinal: messages.every(({ rev }) => rev === lastRev) }
}

/** Shares of all runs. */
function measure(strategy: Strategy) {
  const results = Array.from({ length: runs }, (_, index) => simulate(strategy, faultSeed + index))
  const share = (count: number) => count / runs
  return {
    exactlyOne: share(results.filter(({ count }) => count === 1).length),
    several: share(results.filter(({ count }) => count > 1).length),
    missing: share(results.filter(({ count }) => count === 0).length),
    finalShown: share(results.filter(({ isFinal }) => isFinal).length),
  }
}

describe('20,000 notifications with 5% lost requests, lost answers and crashes at each step', () => {
  it('are each exactly one message, and each shows what was to be shown last', () => {
    expect(measure(protocol)).toEqual({ exactlyOne: 1, several: 0, missing: 0, finalShown: 1 })
  })

  it('control: without the key about one in ten is there twice', () => {
    const { several } = measure(naive)
    expect(several).toBeGreaterThan(0.07)
    expect(several).toBeLessThan(0.16)
  })

  it('where the provider takes no key, are never there twice, and some not at all or as they were', () => {
    const { several, missing, finalShown } = measure(atMostOnce)
    expect(several).toBe(0)
    expect(missing).toBeGreaterThan(0.05)
    expect(missing).toBeLessThan(0.15)
    expect(finalShown).toBeLessThan(0.95)
  })

  it('control: without the update after an unclear post some stay at an old text', () => {
    const { exactlyOne, finalShown } = measure(withoutForcedUpdate)
    expect(exactlyOne).toBe(1)
    expect(finalShown).toBeLessThan(1)
  })
})

describe('a provider without keys', () => {
  it('is not asked again while nobody knows whether the message arrived', () => {
    const unclear = stepWith(fresh, failed('internal_error', 'ambiguous'))
    expect(planStep(unclear, { ...all, idempotencyKey: false })).toBeUndefined()
    expect(park(unclear)).toMatchObject({ state: 'broken', reason: 'outcome_unknown' })
  })

  it('is asked again after a refusal', () => {
    const refused = stepWith(fresh, failed('ratelimited', 'rateLimited'))
    expect(planStep(refused, { ...all, idempotencyKey: false })).toMatchObject({ type: 'post' })
  })
})

describe('a refusal', () => {
  const later = { ...live, desiredRev: 2 }

  it('for being too fast waits as long as asked and loses nothing', () => {
    const now = new Date('2026-11-22T10:00:00Z')
    const retryAt = new Date('2026-11-22T10:00:42Z')
    const outcome = failed('ratelimited', 'rateLimited', retryAt)
    const limited = stepWith(later, outcome)
    expect(planStep(limited, all)).toEqual({ type: 'update', rev: 2, reference })
    expect(nextAttemptAt(limited, outcome, now)).toEqual(retryAt)
  })

  it('after an earlier unclear post leaves open whether that one arrived', () => {
    const unclear = stepWith(fresh, failed('request_timeout', 'ambiguous'))
    const refused = stepWith(unclear, failed('ratelimited', 'rateLimited'))
    expect(refused.ambiguous).toBe(true)
    expect(stepWith(refused, { type: 'posted', reference }).sentRev).toBe(0)
  })

  it('for the size is followed by a smaller message, and then by a person', () => {
    const smaller = stepWith(fresh, failed('msg_blocks_too_long'))
    expect(smaller).toMatchObject({ state: 'wanted', form: 'compact' })
    expect(stepWith(smaller, failed('msg_too_long'))).toMatchObject({ state: 'broken' })
  })

  it('of the credentials holds everything until somebody connects again', () => {
    const held = stepWith(later, failed('token_revoked', 'unauthorized'))
    expect(held).toMatchObject({ state: 'held', reason: 'token_revoked' })
    expect(planStep(held, all)).toBeUndefined()
    expect(planStep(releaseProgress(held), all)).toMatchObject({ type: 'update', rev: 2 })
  })

  it('to change a message sends what changes to its thread', () => {
    const frozen = stepWith(later, failed('edit_window_closed'))
    const step = planStep(frozen, all)
    expect(step).toEqual({ type: 'reply', rev: 2, reference })
    expect(stepWith(frozen, { type: 'done' })).toMatchObject({ state: 'live', sentRev: 2 })
  })

  it('that comes again is asked again ever later, up to a quarter of an hour', () => {
    const now = new Date(0)
    const outcome = failed('unreachable', 'unavailable')
    const delay = (failures: number) =>
      nextAttemptAt({ ...live, failures }, outcome, now).getTime() / 1000
    expect([1, 2, 3, 9, 40].map(delay)).toEqual([4, 8, 16, 900, 900])
  })
})

describe('a message that a person deleted', () => {
  const gone = stepWith({ ...live, desiredRev: 2 }, failed('message_not_found', 'notFound'))

  it('is left so', () => {
    expect(gone).toMatchObject({ state: 'gone', reference: null })
    expect(planStep({ ...gone, desiredRev: 3 }, all)).toBeUndefined()
    expect(renewMessage(gone, { isFailing: false, reportedFailure: false, recurs: false })).toBe(
      gone,
    )
  })

  it('is posted once more for a failure that it had not told of, under another key', () => {
    const renewed = renewMessage(gone, { isFailing: true, reportedFailure: false, recurs: false })
    const step = planStep(renewed, all)
    if (step === undefined) throw new Error('Nothing is planned.')
    expect(step).toMatchObject({ type: 'post', isFirst: true })
    expect(keyName('ntf_1', renewed, step)).not.toBe(keyName('ntf_1', fresh, step))
    expect(renewMessage(gone, { isFailing: true, reportedFailure: true, recurs: true })).toBe(gone)
  })

  it('was posted before an answer got lost, and is known by its key', () => {
    const unclear = stepWith(fresh, failed('request_timeout', 'ambiguous'))
    expect(stepWith(unclear, failed('duplicate_message_not_found'))).toMatchObject({
      state: 'gone',
      ambiguous: false,
    })
  })
})

describe('the reference of a message', () => {
  it('is kept through every failure but its deletion', () => {
    const kept: ChatReference | null = stepWith(
      { ...live, desiredRev: 2 },
      failed('is_archived'),
    ).reference
    expect(kept).toEqual(reference)
  })
})
