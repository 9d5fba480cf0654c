import type { Answer } from '../../api/operations.ts'
import { printable } from '../../terminal/printable.ts'

/** Describes the answer to one deployment that asked whether it may go on. */
export type GateDecision = Answer<'askGate'>
type Reason = GateDecision['reasons'][number]

/** Returns the address of the page on which people decide. */
export function toDecisionPage(
  serverUrl: string,
  orgRef: string,
  { id }: Pick<GateDecision, 'id'>,
): string {
  return `${serverUrl}/${orgRef}/gates/${id}`
}

/** Names a deployment. Example: `4f1c2aa to production`. */
export function nameDecision({ sha, environment, hostEnvironment }: GateDecision): string {
  return `${sha.slice(0, 7)} to ${printable(environment ?? hostEnvironment)}`
}

const states = {
  waiting: 'waits',
  passed: 'may go on',
  refused: 'is refused',
  overridden: 'may go on',
  expired: 'has expired',
} as const satisfies Record<GateDecision['state'], string>

/** Returns the state in words, with who decided it. Example: `may go on: Ada Example let it: hotfix for ABC-12`. */
export function describeDecision({ state, decidedBy, comment }: GateDecision): string {
  if (decidedBy === null) return states[state]
  const name = printable(decidedBy.name ?? 'somebody')
  const who = state === 'refused' ? `${name} refused it` : `${name} let it`
  return `${states[state]}: ${comment === null ? who : `${who}: ${printable(comment)}`}`
}

/** Lists what holds a deployment up, or has ended it, one line each with what to do about it. */
export function listBlocking({ reasons }: GateDecision): string[] {
  return reasons.filter(({ state, isWatched }) => state !== 'met' && !isWatched).map(toLine)
}

/** Returns why no gate was asked at all, with whether that may be a mistake. `undefined`: one was. */
export function findUncovered({
  reasons,
}: GateDecision): { readonly line: string; readonly isDoubtful: boolean } | undefined {
  const reason = reasons.find(({ code }) => code === 'no_gate' || code === 'unknown_environment')
  return reason && { line: toLine(reason), isDoubtful: reason.code === 'unknown_environment' }
}

function toLine({ text, nextStep }: Reason): string {
  return printable([text, ...(nextStep === null ? [] : [nextStep])].join(' ').replaceAll('`', ''))
}

/** Lists what gates would have held up that only watch. */
export function listWatched({ reasons }: GateDecision): string[] {
  return reasons
    .filter(({ state, isWatched }: Reason) => state !== 'met' && isWatched)
    .map(({ text }) => printable(text))
}
