/**
 * Exactly one message for each notification, showing what is to be shown last: as decisions without I/O, so that faults
 * can be tried by the ten thousand.
 *
 * ```
 * plan, begin, committed ──> perform: the call to the provider ──> settle, committed ──> plan …
 * ```
 *
 * A process may end at each arrow, and the call may be lost on either way. Four things make that harmless: a post carries
 * a key, so that its repetition is the same message as long as the chat remembers the key; after that, and once it must have
 * arrived, the message is looked for by its key; that its outcome is not known is written before it is sent; and a post that may have arrived earlier with
 * an older text counts as saying nothing, so that an update follows.
 */
import type { ChatCapabilities, ChatReference } from '../../providers/chat/chat.ts'
import type { ChatErrorExplanation } from '../../providers/chat/chat-dialect.ts'
import { seenReason, unknownReason } from '../../read-models/notifications/message-reasons.ts'
import { cutPause } from '../../jobs/stored-pause.ts'

/** Describes the progress of a message. */
export interface Progress {
  readonly state: 'wanted' | 'sending' | 'live' | 'held' | 'broken' | 'gone'
  readonly desiredRev: number
  readonly sentRev: number
  readonly reference: ChatReference | null
  /** True when a post was sent and may have arrived. */
  readonly ambiguous: boolean
  /** When the first post was sent that may have arrived. `null`: there was none, or its message was looked for and not found. */
  readonly triedAt: Date | null
  readonly generation: number
  readonly form: 'full' | 'compact'
  readonly frozen: boolean
  /** Counts the failed calls in a row. */
  readonly failures: number
  readonly reason: string | null
}

/** Describes the next call to a provider. */
export type Step =
  | { readonly type: 'post'; readonly rev: number; readonly isFirst: boolean }
  | { readonly type: 'update'; readonly rev: number; readonly reference: ChatReference }
  /** Looks for the message of a post that may have arrived. */
  | { readonly type: 'find'; readonly rev: number; readonly since: Date }
  /** Replies in the thread, because the message itself cannot be changed any more. */
  | { readonly type: 'reply'; readonly rev: number; readonly reference: ChatReference }

export type StepOutcome =
  | { readonly type: 'posted'; readonly reference: ChatReference }
  | { readonly type: 'done' }
  /** The message that was looked for is not there. */
  | { readonly type: 'absent' }
  | { readonly type: 'joined' }
  | { readonly type: 'failed'; readonly explanation: ChatErrorExplanation }

/** Lists what a chat can do for the protocol. */
export interface ProtocolCapabilities extends ChatCapabilities {
  /** True when a message can be looked for by its key. */
  readonly lookup: boolean
}

/** Returns whether a message is older than its subject and can still be sent or changed. */
export function isBehind({ state, desiredRev, sentRev }: Progress): boolean {
  return desiredRev > sentRev && (state === 'wanted' || state === 'sending' || state === 'live')
}

/** Plans what to do next; `undefined`: nothing. */
export function planStep(
  progress: Progress,
  capabilities: ProtocolCapabilities,
  now: Date,
): Step | undefined {
  const { reference, desiredRev: rev, ambiguous, triedAt, frozen } = progress
  if (!isBehind(progress)) return undefined
  if (reference === null) {
    const mayPost =
      !ambiguous || triedAt === null || now.getTime() - triedAt.getTime() < capabilities.repeatMs
    if (mayPost) return { type: 'post', rev, isFirst: !ambiguous }
    // A second post may be a second message. A person can act on a missing message, and not take back a double one.
    return capabilities.lookup ? { type: 'find', rev, since: triedAt } : undefined
  }
  if (capabilities.update && !frozen) return { type: 'update', rev, reference }
  return capabilities.threads ? { type: 'reply', rev, reference } : undefined
}

/** Longer than a call may take, and than what forwards it may hold it. */
const arrivalMs = 30_000

/**
 * Returns from when on a step may be done; `undefined`: immediately. A post whose answer is lost may still be on its
 * way, and a search for its message before it arrives would lead to a second post.
 */
export function earliestAt(step: Step): Date | undefined {
  return step.type === 'find' ? new Date(step.since.getTime() + arrivalMs) : undefined
}

/** Returns the progress when a step is not allowed: the message is broken, or stays as it is. */
export function park(progress: Progress): Progress {
  return progress.reference === null
    ? { ...progress, state: 'broken', reason: unknownReason }
    : { ...progress, sentRev: progress.desiredRev }
}

/** Returns what is committed before the call. */
export function beginProgress(progress: Progress, step: Step, now: Date): Progress {
  const sending: Progress = { ...progress, state: 'sending' }
  return step.type === 'post'
    ? { ...sending, ambiguous: true, triedAt: progress.triedAt ?? now }
    : sending
}

/** Returns what is committed after the call. */
export function settleProgress(progress: Progress, step: Step, outcome: StepOutcome): Progress {
  const clean = { ...progress, state: restingState(progress), failures: 0, reason: null }
  switch (outcome.type) {
    case 'posted':
      return {
        ...clean,
        state: 'live',
        reference: outcome.reference,
        ...certain,
        // A post before this one may have arrived, and then the message says what that one said.
        sentRev: step.type === 'post' && step.isFirst ? step.rev : 0,
      }
    case 'done':
      return { ...clean, sentRev: Math.max(progress.sentRev, step.rev) }
    case 'absent':
      // It stays unclear: what is still on its way may arrive before the next post does.
      return { ...clean, triedAt: null }
    case 'joined':
      return { ...clean, ...uncertaintyAfter(progress, step), reason: 'joined' }
    case 'failed':
      return settleFailure(clean, step, outcome.explanation, progress.failures)
  }
}

function restingState({ reference }: Progress): 'live' | 'wanted' {
  return reference === null ? 'wanted' : 'live'
}

/** Returns what is committed where no step could be begun, because the chat cannot be opened. */
export function settleUnopenedProgress(
  progress: Progress,
  explanation: ChatErrorExplanation,
): Progress {
  const clean = { ...progress, state: restingState(progress), reason: null }
  return settleFailure(clean, undefined, explanation, progress.failures)
}

type Uncertainty = Pick<Progress, 'ambiguous' | 'triedAt'>

const certain: Uncertainty = { ambiguous: false, triedAt: null }

/** Returns whether the message may have arrived. A first post that was refused has not; an earlier post may have. */
function uncertaintyAfter(
  { ambiguous, triedAt }: Uncertainty,
  step: Step | undefined,
): Uncertainty {
  return step?.type === 'post' && step.isFirst ? certain : { ambiguous, triedAt }
}

function settleFailure(
  clean: Progress,
  step: Step | undefined,
  explanation: ChatErrorExplanation,
  failures: number,
): Progress {
  const refused = { ...clean, ...uncertaintyAfter(clean, step), reason: explanation.code }
  switch (explanation.reaction) {
    case 'unclear':
      return { ...clean, reason: explanation.code, failures: failures + 1 }
    case 'retry':
      return { ...refused, failures: failures + 1 }
    case 'wait':
      return { ...refused, failures }
    case 'shrink':
      return shrink(refused)
    case 'join':
    case 'broken':
      return { ...refused, state: 'broken' }
    case 'reconnect':
      return { ...refused, state: 'held' }
    case 'deleted':
      return {
        ...refused,
        state: 'gone',
        ...certain,
        reference: null,
        sentRev: clean.desiredRev,
      }
    case 'frozen':
      return freeze(refused, step)
  }
}

/** Makes the message compact. A compact one that is too long as well is broken: a person has to look. */
function shrink(progress: Progress): Progress {
  return progress.form === 'full'
    ? { ...progress, form: 'compact' }
    : { ...progress, state: 'broken' }
}

/** Freezes a message that may not be changed. The provider cannot refuse a post for that reason: then the message is broken. */
function freeze(progress: Progress, step: Step | undefined): Progress {
  return step?.type === 'update' ? { ...progress, frozen: true } : { ...progress, state: 'broken' }
}

/** Describes what the message is to report, and what it reported already. */
interface Reported {
  readonly isFailing: boolean
  readonly reportedFailure: boolean
  /** True when each failure is news, as of an integration; a deployment fails once. */
  readonly recurs: boolean
}

/**
 * Begins a new message, or keeps the one that is there. A failure that was not reported gets a new message when a person deleted
 * the old one, and when the old one said that all was well: nobody scrolls back to it.
 */
export function renewMessage(
  progress: Progress,
  { isFailing, reportedFailure, recurs }: Reported,
): Progress {
  const isOver = recurs && progress.state === 'live' && progress.sentRev > 0 && !isBehind(progress)
  if (!isFailing || reportedFailure || !(progress.state === 'gone' || isOver)) return progress
  return {
    ...progress,
    state: 'wanted',
    generation: progress.generation + 1,
    reference: null,
    ...certain,
    frozen: false,
    sentRev: 0,
    failures: 0,
    reason: null,
  }
}

/** Returns the progress after a person has looked for a message that may have arrived. */
export function settleSeen(progress: Progress, isThere: boolean): Progress {
  const clean = { ...progress, failures: 0 }
  return isThere
    ? { ...clean, ...certain, state: 'gone', sentRev: progress.desiredRev, reason: seenReason }
    : { ...clean, triedAt: null, state: 'wanted', reason: null }
}

/** Returns the progress after a person has removed the obstacle. */
export function releaseProgress(progress: Progress): Progress {
  if (progress.state !== 'held' && progress.state !== 'broken') return progress
  return { ...progress, state: restingState(progress), failures: 0, reason: null }
}

/** Names a message in its repetitions, before that is made a UUID. */
export function keyName(id: string, { generation }: Progress, step: Step): string {
  return step.type === 'reply' ? `${id}/${generation}/${step.rev}` : `${id}/${generation}`
}

/** Updates of one message are this far apart: what changes in between is said by the next. */
const spacingMs = 3_000

const [firstDelayMs, longestDelayMs] = [2_000, 15 * 60_000]

/** Leaves so much of the time in which a post may be repeated to the job and the call. */
const lastRepeatMs = 5_000

/** Describes when the outcome of a step is settled, and for how long the chat takes a repeated post as the same. */
export interface Settling extends Pick<ChatCapabilities, 'repeatMs'> {
  readonly now: Date
}

/** Returns when the next step may be done. A post that may have arrived is tried once more before the chat forgets its key. */
export function nextAttemptAt(
  progress: Progress,
  outcome: StepOutcome,
  { repeatMs, now }: Settling,
): Date {
  const { failures, triedAt } = progress
  if (outcome.type === 'joined' || outcome.type === 'absent') return now
  const retryAt = outcome.type === 'failed' ? outcome.explanation.retryAt : undefined
  if (retryAt !== undefined && retryAt > now) return cutPause(retryAt, now)
  const delay =
    failures === 0
      ? spacingMs
      : Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures, 20))
  const at = now.getTime() + delay
  const lastAt = triedAt === null ? Infinity : triedAt.getTime() + repeatMs - lastRepeatMs
  return new Date(now.getTime() < lastAt ? Math.min(at, lastAt) : at)
}

/**
 * Holds how long a first message waits, in milliseconds, so that a deployment that ends at once is reported once, finished. Failures
 * in production do not wait.
 */
export const initialHoldMs = 7_000
