import {
  joinTexts,
  link,
  quote,
  sign,
  type ChatMessage,
  type MessageText,
  type Tone,
} from '../../providers/chat/chat-message.ts'
import type { RequestView } from '../../read-models/notifications/notice-views.ts'
import { renderKeys } from './render-attention.ts'
import { renderNotice } from './render-notice.ts'
import { renderProofs, type ProofText } from './render-proof.ts'

const namesShown = 3

/** Returns the one message about a change request, as it is by now. It names keys, and holds no value of them. */
export function renderChangeRequest(view: RequestView, moreUrl: string | null): ChatMessage {
  const { number, title, reason, keys, state } = view
  const watch = renderProofs(view.proofs)
  const [tone, sentence] = describe(view, watch)
  return renderNotice({
    tone,
    summary: [sign(tone), ' ', ...sentence],
    facts: [
      ...(keys.length === 0 ? [] : [['“', quote(title, 200), '”']]),
      ...(keys.length > 1 ? [renderKeys(keys)] : []),
      ...(reason === '' ? [] : [['Why: ', quote(reason, 300)]]),
      ...explain(view),
      ...(watch.tone !== null && view.approvedBy.length > 0
        ? [['Approved by ', ...listNames(view.approvedBy)]]
        : []),
      ...watch.facts,
    ],
    actions:
      moreUrl === null ? [] : [link(moreUrl, state === 'open' ? 'Review' : `Request ${number}`)],
    footer: [[`request ${number} by `, quote(view.who, 80)]],
  })
}

type Description = readonly [tone: Tone, sentence: MessageText]

/** Returns the tone of a request, and its state as a sentence. */
function describe(view: RequestView, watch: ProofText): Description {
  if (view.state === 'applied') return describeApplied(view, watch)
  const [tone, state] = outcomes[view.state](view)
  const asks = [quote(view.who, 80), ...name(view, ' asks to change ', ' asks for ')]
  return [tone, [...asks, ...state]]
}

function describeApplied(view: RequestView, { tone, end }: ProofText): Description {
  const { overridden } = view
  const did = [
    quote(overridden?.who ?? view.who, 80),
    ...name(view, ' changed ', ' made the change '),
  ]
  if (overridden !== null)
    return [tone ?? 'warning', [...did, ' without the approvals that it needs', ...end]]
  return tone === null ? ['changed', [...did, ...nameApprovers(view)]] : [tone, [...did, ...end]]
}

/** Maps the state of a request that is not applied to its tone, and to the end of the sentence. */
const outcomes: Readonly<
  Record<Exclude<RequestView['state'], 'applied'>, (view: RequestView) => Description>
> = {
  open: (view) =>
    view.conflict === null
      ? ['waiting', [': ', ...countApprovals(view)]]
      : ['warning', [': somebody else has changed it in the meantime']],
  approved: (view) => ['progress', nameApprovers(view)],
  scheduled: (view) => [
    'progress',
    [...nameApprovers(view), `, to be applied at ${toTime(view.applyAt)}`],
  ],
  declined: ({ declines }) => [
    'failure',
    [': declined by ', ...listNames(declines.map(({ who }) => who))],
  ],
  withdrawn: () => ['inactive', [': withdrawn']],
  expired: () => ['inactive', [': expired without a decision']],
  failed: () => ['failure', [': failed, nothing was applied']],
}

function nameApprovers({ approvedBy }: RequestView): MessageText {
  return approvedBy.length === 0 ? [] : [': approved by ', ...listNames(approvedBy)]
}

/** Names what a request changes, and where: its keys, or where it changes none its title. Example: `apiUrl and 2 more in eu`. */
function name({ keys, title, environments }: RequestView, keyed: string, titled: string) {
  const [first, ...others] = keys
  const more = others.length === 0 ? [] : [` and ${others.length} more`]
  const what =
    first === undefined
      ? [titled, '“', quote(title, 200), '”']
      : [keyed, quote(first, 100), ...more]
  return [...what, ' in ', ...listNames(environments.map((each) => each.name))]
}

/** Lists the first names. Example: `production, staging and 2 more`. */
function listNames(names: readonly string[]): MessageText {
  const first = names.slice(0, namesShown).map((each) => [quote(each, 80)])
  const more = names.length - first.length
  return [...joinTexts(first, ', '), ...(more > 0 ? [` and ${more} more`] : [])]
}

/** Says how many approvals there are. Example: `1 of 2 approvals`, and of several environments `eu 1 of 2, us 0 of 1 approval`. */
function countApprovals({ environments }: RequestView): MessageText {
  const needing = environments.filter(({ approvals }) => approvals.needed > 0)
  const counts = needing
    .slice(0, namesShown)
    .map((each): MessageText => [
      ...(needing.length === 1 ? [] : [quote(each.name, 63), ' ']),
      `${each.approvals.given} of ${each.approvals.needed}`,
    ])
  const last = needing[counts.length - 1]?.approvals.needed
  return [...joinTexts(counts, ', '), last === 1 ? ' approval' : ' approvals']
}

const failures: Readonly<Record<string, string>> = {
  too_late: 'The service did not run at its time.',
  author_left: 'Its author is no longer a member, and nobody else has approved it.',
  restored: 'The database was restored from a backup, so its time may be out of date.',
}

/** Returns what a reader has to know beside the state. */
function explain(view: RequestView): MessageText[] {
  const { state, declines, conflict, failure, overridden } = view
  return [
    ...(state === 'approved' ? [['Somebody has to apply it.']] : []),
    ...(state === 'open' && conflict !== null && conflict.length > 0
      ? [['Changed by others: ', ...listNames(conflict)]]
      : []),
    ...declines
      .slice(0, namesShown)
      .flatMap(({ who, text }) =>
        text === '' ? [] : [[quote(who, 80), ': “', quote(text, 300), '”']],
      ),
    ...(failure === null ? [] : [[failures[failure] ?? 'Its page says why.']]),
    ...(overridden === null ? [] : [['“', quote(overridden.comment, 300), '”']]),
    ...(overridden?.acknowledgedBy
      ? [['Acknowledged by ', quote(overridden.acknowledgedBy, 80)]]
      : []),
  ]
}

/** Returns a moment to the minute. Example: `2026-12-01 09:30 UTC`. */
function toTime(at: Date | null): string {
  return at === null ? 'its time' : `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
