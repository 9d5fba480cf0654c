import { describe, expect, inject, it } from 'vitest'
import type { ChatReference } from '../../providers/chat/chat.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { explainChatError } from '../../providers/chat/chat-dialects.ts'
import { discordCapabilities } from '../../providers/discord/api.ts'
import { mattermostCapabilities } from '../../providers/mattermost/api.ts'
import { slackCapabilities, slackCapabilitiesWithHistory } from '../../providers/slack/api.ts'
import {
  beginProgress,
  earliestAt,
  keyName,
  nextAttemptAt,
  park,
  planStep,
  releaseProgress,
  renewMessage,
  settleProgress,
  settleSeen,
  type Progress,
  type ProtocolCapabilities,
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
  triedAt: null,
  generation: 1,
  form: 'full',
  frozen: false,
  failures: 0,
  reason: null,
}
const all: ProtocolCapabilities = {
  repeatMs: Infinity,
  lookup: false,
  update: true,
  threads: true,
}
const start = new Date('2026-11-22T10:00:00Z')
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000)
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
  const step = planStep(progress, all, start)
  if (step === undefined) throw new Error('There is nothing to do.')
  return settleProgress(beginProgress(progress, step, start), step, outcome)
}

const faultRate = 0.05
/** Each control goes wrong in one of a thousand or more, so that two thousand tell. The published figures are of 20,000. */
const runs = inject('scale') > 1 ? 20_000 : 2_000

interface Strategy {
  /** Lists what the provider is said to be able to do. */
  readonly capabilities: ProtocolCapabilities
  /** For how long the provider takes a post with a known key for the message that is there, in seconds. */
  readonly keySeconds: number
  readonly settle: (progress: Progress, step: Step, outcome: StepOutcome) => Progress
  /** Says that a look sees what is there. */
  readonly sees: boolean
  /** Says that nothing is looked for before it must have arrived. */
  readonly waits: boolean
}

const protocol: Strategy = {
  capabilities: all,
  keySeconds: Infinity,
  settle: settleProgress,
  sees: true,
  waits: true,
}
const windowed = (repeatSeconds: number, keySeconds: number, lookup = true): Strategy => ({
  ...protocol,
  capabilities: { ...all, repeatMs: repeatSeconds * 1000, lookup },
  keySeconds,
})

const want = (row: Progress): Progress => ({ ...row, desiredRev: row.desiredRev + 1 })

interface Message {
  readonly key: string
  readonly arrivedAt: number
  rev: number
}

/** A provider that remembers the key of a message for a while, and loses requests and answers. */
function openProvider({ keySeconds, sees }: Strategy, random: () => number) {
  const messages: Message[] = []
  const happens = () => random() < faultRate
  const lost = failed('internal_error', 'ambiguous')
  const post = (rev: number, key: string, at: number) => {
    // An earlier post may arrive later.
    const known = messages.findIndex(
      (message) => message.key === key && Math.abs(at - message.arrivedAt) <= keySeconds,
    )
    return known === -1 ? messages.push({ key, rev, arrivedAt: at }) - 1 : known
  }
  const call = (step: Step, key: string, at: number): StepOutcome => {
    if (happens()) return lost
    let index: number
    if (step.type === 'post') index = post(step.rev, key, at)
    else if (step.type === 'find')
      index = messages.findIndex((one) => sees && one.key === key && one.arrivedAt <= at)
    else index = Number(step.reference.messageId)
    const message = messages[index]
    if (step.type === 'update' && message !== undefined) message.rev = step.rev
    if (happens()) return lost
    if (step.type === 'find' && index === -1) return { type: 'absent' }
    if (step.type === 'update') return { type: 'done' }
    return { type: 'posted', reference: { channelId: 'C1', messageId: String(index) } }
  }
  return { messages, call }
}

/** From one turn to the next, in seconds: a job that goes on at once, one that waits, a node that was gone. */
const pauses = [1, 4, 15, 40, 130, 900]

/** Returns whether the step has to wait, where it does. */
const isEarly = ({ waits }: Strategy, step: Step, now: Date) =>
  waits && (earliestAt(step) ?? now) > now

/** One notification, from the first revision to the last, in a world where anything fails. */
function simulate(strategy: Strategy, seed: number) {
  const random = seededRandom(seed)
  const happens = () => random() < faultRate
  const { messages, call } = openProvider(strategy, random)
  const lastRev = 1 + Math.floor(random() * 4)
  let row = fresh
  let seconds = 0
  for (let turn = 0; turn < 1_000; turn += 1) {
    seconds += pauses[Math.floor(random() * pauses.length)] ?? 0
    if (row.desiredRev < lastRev && random() < 0.5) row = want(row)
    const now = later(seconds)
    const step = planStep(row, strategy.capabilities, now)
    if (step === undefined) {
      if (row.desiredRev === lastRev) break
      continue
    }
    if (isEarly(strategy, step, now) || happens()) continue
    row = beginProgress(row, step, now)
    if (happens()) continue
    // A call takes up to eight seconds to get there.
    const outcome = call(step, keyName('ntf_1', row, step), seconds + random() * 8)
    if (happens()) continue
    row = strategy.settle(row, step, outcome)
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

const perfect = { exactlyOne: 1, several: 0, missing: 0, finalShown: 1 }

/** As a provider says of itself, in a chat that remembers keys for `keySeconds`. */
const provided = (
  of: Omit<ProtocolCapabilities, 'lookup'>,
  lookup: boolean,
  keySeconds: number,
): Strategy => ({ ...protocol, capabilities: { ...of, lookup }, keySeconds })

describe(`${runs} notifications with 5% lost requests, lost answers and crashes at each step`, () => {
  it.each([
    [
      'is Slack, whose history may be read, whatever it remembers',
      provided(slackCapabilitiesWithHistory, true, 0),
    ],
    [
      'is Discord, which remembers a nonce for some minutes',
      provided(discordCapabilities, true, 120),
    ],
    ['is Mattermost, on another node each time', provided(mattermostCapabilities, true, 0)],
    ['remembers a key for half a minute, and can be asked', windowed(20, 30)],
  ])('are each exactly one message that ends up to date, where a chat %s', (_, strategy) => {
    expect(measure(strategy)).toEqual(perfect)
  })

  it('control: of a chat that takes no key although we rely on it, about one in ten is there twice', () => {
    const { several } = measure({ ...protocol, keySeconds: 0 })
    expect(several).toBeGreaterThan(0.07)
    expect(several).toBeLessThan(0.16)
  })

  it('control: sent again after the chat has forgotten the key, some are there twice', () => {
    expect(measure({ ...protocol, keySeconds: 30 }).several).toBeGreaterThan(0.02)
  })

  it('control: of a Slack that remembers no key after all and whose history may not be read, some are there twice', () => {
    expect(measure(provided(slackCapabilities, false, 0)).several).toBeGreaterThan(0.01)
  })

  it('control: looked for while it may be on its way, some are there twice', () => {
    const { several } = measure({ ...provided(mattermostCapabilities, true, 0), waits: false })
    expect(several).toBeGreaterThan(0)
  })

  it('control: where a look does not see what is there, some are there twice', () => {
    expect(measure({ ...windowed(20, 30), sees: false }).several).toBeGreaterThan(0.02)
  })

  it.each([
    ['takes no key', windowed(0, 0, false), 0.05],
    ['remembers it for two minutes', windowed(60, 120, false), 0.001],
    [
      'is Slack, as long as it remembers it for a minute,',
      provided(slackCapabilities, false, 60),
      0.001,
    ],
  ])(
    'where a chat %s and cannot be asked, are never there twice, and some not at all or as they were',
    (_, strategy, missed) => {
      const { several, missing, finalShown } = measure(strategy)
      expect(several).toBe(0)
      expect(missing).toBeGreaterThan(missed)
      expect(missing).toBeLessThan(0.15)
      expect(finalShown).toBeLessThan(1)
    },
  )

  it('control: without the update after an unclear post some stay at an old text', () => {
    const { exactlyOne, finalShown } = measure({
      ...protocol,
      settle: (progress, step, outcome) =>
        settleProgress(progress, step.type === 'post' ? { ...step, isFirst: true } : step, outcome),
    })
    expect(exactlyOne).toBe(1)
    expect(finalShown).toBeLessThan(1)
  })
})

describe('a post whose outcome is not known', () => {
  const unclear = stepWith(fresh, failed('internal_error', 'ambiguous'))
  const keyless = { ...all, repeatMs: 0 }

  it('is not sent again where the chat takes no key and cannot be asked', () => {
    expect(planStep(unclear, keyless, start)).toBeUndefined()
    expect(park(unclear)).toMatchObject({ state: 'broken', reason: 'outcome_unknown' })
  })

  it('is sent again as long as the chat remembers its key, and looked for after that', () => {
    const { capabilities } = windowed(60, 120)
    expect(planStep(unclear, capabilities, later(59))).toMatchObject({ type: 'post' })
    const find = { type: 'find', rev: 1, since: start }
    expect(planStep(unclear, capabilities, later(60))).toEqual(find)
    // The window began with the first post, and not with the last.
    const again = planStep(unclear, capabilities, later(50))
    if (again === undefined) throw new Error('Nothing is planned.')
    const twice = settleProgress(
      beginProgress(unclear, again, later(50)),
      again,
      failed('internal_error', 'ambiguous'),
    )
    expect(planStep(twice, capabilities, later(70))).toEqual(find)
  })

  it('is updated where it is found, and sent under its key where it is not', () => {
    const { capabilities } = windowed(20, 30)
    const find = planStep(unclear, capabilities, later(60))
    if (find === undefined) throw new Error('Nothing is planned.')
    const begun = beginProgress(unclear, find, later(60))
    const found = settleProgress(begun, find, { type: 'posted', reference })
    expect(planStep(found, capabilities, later(61))).toEqual({ type: 'update', rev: 1, reference })
    const absent = settleProgress(begun, find, { type: 'absent' })
    const post = planStep(absent, capabilities, later(61))
    expect(post).toEqual({ type: 'post', rev: 1, isFirst: false })
    if (post === undefined) throw new Error('Nothing is planned.')
    expect(keyName('ntf_1', absent, post)).toBe(keyName('ntf_1', fresh, post))
    expect(beginProgress(absent, post, later(61)).triedAt).toEqual(later(61))
  })

  it('is tried once more before the chat forgets its key, however often it failed', () => {
    const lost = failed('internal_error', 'ambiguous')
    const next = (failures: number, seconds: number, repeatMs = 30_000) => {
      const settled = { ...unclear, failures }
      const at = nextAttemptAt(settled, lost, { repeatMs, now: later(seconds) })
      return (at.getTime() - start.getTime()) / 1000
    }
    // The delay alone would lead to 28, 32 and 42 seconds, and the last of them is forgotten.
    expect([next(1, 0), next(2, 4), next(3, 12), next(2, 24), next(4, 10)]).toEqual([
      4, 12, 25, 25, 25,
    ])
    // Nothing is hurried once that is past, where no end is known, and where the chat takes no key.
    expect([next(4, 25), next(5, 40), next(4, 10, Infinity), next(4, 10, 0)]).toEqual([
      57, 104, 42, 42,
    ])
  })

  it('is over where a person has seen it, and is sent under its key where a person has looked in vain', () => {
    const waiting = park(unclear)
    const seen = settleSeen(waiting, true)
    expect(seen).toMatchObject({ state: 'gone', reason: 'seen_in_channel', ambiguous: false })
    expect(planStep(seen, keyless, later(600))).toBeUndefined()
    const failure = { isFailing: true, reportedFailure: false, recurs: false }
    expect(renewMessage(seen, failure)).toMatchObject({ state: 'wanted', generation: 2 })
    const again = planStep(settleSeen(waiting, false), keyless, later(600))
    // The post repeats the key. If the message is there after all, a chat that still knows the key posts no second one.
    expect(again).toEqual({ type: 'post', rev: 1, isFirst: false })
  })

  it.each([
    ['http_503', 'unavailable'],
    ['connection', 'unavailable'],
    ['service_unavailable', 'unavailable'],
    ['request_timeout', 'unavailable'],
  ] as const)('is none after %s: it is tried on for as long as that takes', (code, failure) => {
    const refused = stepWith(fresh, failed(code, failure))
    expect(planStep(refused, keyless, later(3_600))).toEqual({
      type: 'post',
      rev: 1,
      isFirst: true,
    })
  })

  it('is sent again after a refusal', () => {
    const refused = stepWith(fresh, failed('ratelimited', 'rateLimited'))
    expect(planStep(refused, keyless, start)).toMatchObject({ type: 'post', isFirst: true })
  })
})

describe('a refusal', () => {
  const changed = { ...live, desiredRev: 2 }

  it('for being too fast waits as long as asked and loses nothing', () => {
    const now = new Date('2026-11-22T10:00:00Z')
    const retryAt = new Date('2026-11-22T10:00:42Z')
    const outcome = failed('ratelimited', 'rateLimited', retryAt)
    const limited = stepWith(changed, outcome)
    expect(planStep(limited, all, start)).toEqual({ type: 'update', rev: 2, reference })
    expect(nextAttemptAt(limited, outcome, { now, repeatMs: 30_000 })).toEqual(retryAt)
  })

  it('after an earlier unclear post leaves open whether that one arrived', () => {
    const unclear = stepWith(fresh, failed('internal_error', 'ambiguous'))
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
    const held = stepWith(changed, failed('token_revoked', 'unauthorized'))
    expect(held).toMatchObject({ state: 'held', reason: 'token_revoked' })
    expect(planStep(held, all, start)).toBeUndefined()
    expect(planStep(releaseProgress(held), all, start)).toMatchObject({ type: 'update', rev: 2 })
  })

  it('to change a message sends what changes to its thread', () => {
    const frozen = stepWith(changed, failed('edit_window_closed'))
    const step = planStep(frozen, all, start)
    expect(step).toEqual({ type: 'reply', rev: 2, reference })
    expect(stepWith(frozen, { type: 'done' })).toMatchObject({ state: 'live', sentRev: 2 })
  })

  it('is followed at once by the post that it was about, after the channel was entered and after a look', () => {
    const now = new Date(0)
    const after = (outcome: StepOutcome) =>
      nextAttemptAt(live, outcome, { now, repeatMs: 30_000 }).getTime()
    expect([after({ type: 'joined' }), after({ type: 'absent' })]).toEqual([0, 0])
    // Control: what was sent is changed three seconds later at the earliest.
    expect(after({ type: 'done' })).toBe(3_000)
  })

  it('that comes again is asked again ever later, up to a quarter of an hour', () => {
    const now = new Date(0)
    const outcome = failed('unreachable', 'unavailable')
    const delay = (failures: number) =>
      nextAttemptAt({ ...live, failures }, outcome, { now, repeatMs: 30_000 }).getTime() / 1000
    expect([1, 2, 3, 9, 40].map(delay)).toEqual([4, 8, 16, 900, 900])
  })
})

describe('a message that a person deleted', () => {
  const gone = stepWith({ ...live, desiredRev: 2 }, failed('message_not_found', 'notFound'))

  it('is left so', () => {
    expect(gone).toMatchObject({ state: 'gone', reference: null })
    expect(planStep({ ...gone, desiredRev: 3 }, all, start)).toBeUndefined()
    expect(renewMessage(gone, { isFailing: false, reportedFailure: false, recurs: false })).toBe(
      gone,
    )
  })

  it('is posted once more for a failure that it had not told of, under another key', () => {
    const renewed = renewMessage(gone, { isFailing: true, reportedFailure: false, recurs: false })
    const step = planStep(renewed, all, start)
    if (step === undefined) throw new Error('Nothing is planned.')
    expect(step).toMatchObject({ type: 'post', isFirst: true })
    expect(keyName('ntf_1', renewed, step)).not.toBe(keyName('ntf_1', fresh, step))
    expect(renewMessage(gone, { isFailing: true, reportedFailure: true, recurs: true })).toBe(gone)
  })

  it('was posted before an answer got lost, and is known by its key', () => {
    const unclear = stepWith(fresh, failed('internal_error', 'ambiguous'))
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
