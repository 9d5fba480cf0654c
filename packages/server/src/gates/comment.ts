import { listBlocking } from '../read-models/gates/describe-decision.ts'
import type { DecisionRow } from './gate.ts'

/** Leaves two of the comments that a code host takes for what nobody has thought of. */
const commentsMax = 8
const commentEveryMs = 60_000

/** Returns what the page of a run says while it waits, without the address of the decision. */
export function renderComment({ reasons }: Pick<DecisionRow, 'reasons'>): string {
  return listBlocking({ reasons })
    .map(({ text, nextStep }) => `- ${text}${nextStep === null ? '' : ` ${nextStep}`}`)
    .join('\n')
}

/** Returns whether the code host is to show another text than it does. It takes few, and one in a minute. */
export function wantsComment(row: DecisionRow, now: Date): boolean {
  return (
    row.state === 'waiting' &&
    row.via === 'rule' &&
    row.commentsSent < commentsMax &&
    renderComment(row) !== row.commented &&
    (row.commentedAt === null || now.getTime() - row.commentedAt.getTime() >= commentEveryMs)
  )
}

const endings = {
  passed: 'Every rule is met.',
  refused: 'The deployment was refused.',
  overridden: 'Somebody let the deployment go on although its rules are not met.',
} as const

/** Returns what the code host shows as the reason of an answer. */
export function renderAnswer(row: DecisionRow): string {
  const { state, decidedBy, comment } = row
  if (state === 'waiting' || state === 'expired') return ''
  if (decidedBy === null)
    return state === 'passed' ? endings.passed : `${endings[state]}\n${renderComment(row)}`
  const verb = state === 'refused' ? 'refused the deployment' : 'let the deployment go on'
  return `${decidedBy.name} ${verb}: ${comment ?? ''}`
}

/** Shortens a text to what a code host takes, and adds the address of the decision where there is space for it. */
export function fitComment(text: string, url: string | null, length: number): string {
  const link = url === null ? '' : `\n${url}`
  const left = length - link.length
  if (left < 20) return text.slice(0, length)
  const cut = text.length > left ? `${text.slice(0, left - 1)}…` : text
  return `${cut}${link}`
}
