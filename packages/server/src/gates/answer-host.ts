import { Problem } from '@signalbox/contract'
import { findExternalId } from '../deployments/codehost/tracked-repository-rows.ts'
import type { CodehostWaits } from '../providers/codehosts/wait.ts'
import { displayNameOf } from '../providers/find-provider.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { fitComment, renderAnswer, renderComment, wantsComment } from './comment.ts'
import { lockDecision, noteAnswer, updateDecision } from './decision-rows.ts'
import type { GateDeps } from './gate-deps.ts'
import type { DecisionRow } from './gate.ts'
import { storeDecision } from './decide.ts'

interface Decision {
  readonly orgId: string
  readonly id: string
}

/** Describes what the code host is to be told of a decision. */
interface DueCall {
  readonly row: DecisionRow
  readonly repositoryId: string
  readonly kind: 'answer' | 'comment'
}

/**
 * Brings a decision to the code host that asked: what it waits for, or the answer. A comment is made once, because the database says
 * so before. The answer is repeated until it is there: the first one counts.
 *
 * @throws {ProviderError} where the queue is to try again
 */
export async function answerHost(deps: GateDeps, { orgId, id }: Decision): Promise<void> {
  const due = await takeDueCall(deps, { orgId, id })
  if (due === undefined) return
  const { row, repositoryId, kind } = due
  try {
    const { waits } = await deps.openCodehost(orgId)
    if (waits === undefined) return await giveUp(deps, orgId, row, noWaits)
    await (kind === 'answer' ? answer : comment)(deps, waits, { orgId, row, repositoryId })
  } catch (error) {
    await noteFailure(deps, orgId, { row, kind, error })
  }
}

async function takeDueCall(deps: GateDeps, { orgId, id }: Decision): Promise<DueCall | undefined> {
  return deps.store.transaction({ orgId }, async (tx) => {
    const row = await lockDecision(tx, orgId, id)
    if (row === undefined) return undefined
    const repositoryId = await findExternalId(tx, orgId, row.repositoryId)
    if (repositoryId === undefined) return undefined
    if (row.answerState === 'waiting') return { row, repositoryId, kind: 'answer' }
    const now = deps.now()
    if (!wantsComment(row, now)) return undefined
    const commented = renderComment(row)
    const { commentsSent } = row
    const sent = { ...row, commented, commentedAt: now, commentsSent: commentsSent + 1 }
    await updateDecision(tx, orgId, sent)
    return { row: sent, repositoryId, kind: 'comment' }
  })
}

interface Call {
  readonly orgId: string
  readonly row: DecisionRow
  readonly repositoryId: string
}

async function comment(
  { decisionUrl }: GateDeps,
  waits: CodehostWaits,
  { orgId, row, repositoryId }: Call,
): Promise<void> {
  const url = decisionUrl(orgId, row.id)
  const text = fitComment(row.commented ?? '', url, waits.commentLength)
  await waits.comment(repositoryId, waitOf(row), text)
}

async function answer(
  deps: GateDeps,
  waits: CodehostWaits,
  { orgId, row, repositoryId }: Call,
): Promise<void> {
  const state = row.state === 'refused' ? 'rejected' : 'approved'
  const text = fitComment(renderAnswer(row), deps.decisionUrl(orgId, row.id), waits.commentLength)
  await waits.answer(repositoryId, waitOf(row), { state, text })
  await deps.store.transaction({ orgId }, (tx) =>
    noteAnswer(tx, orgId, { ...row, answerState: 'sent', answerDetail: null }),
  )
}

const waitOf = ({ runId, hostEnvironment }: DecisionRow) => ({
  runId,
  environment: hostEnvironment,
})

const noWaits = 'The code host that is connected now holds no deployments.'
const gone = 'The run no longer waits.'

async function giveUp(
  deps: GateDeps,
  orgId: string,
  row: DecisionRow,
  answerDetail: string,
): Promise<void> {
  await deps.store.transaction({ orgId }, (tx) =>
    noteAnswer(tx, orgId, { ...row, answerState: 'given_up', answerDetail }),
  )
}

interface Failure extends Pick<DueCall, 'row' | 'kind'> {
  readonly error: unknown
}

/** Notes what cannot be repeated, and what the code host has forgotten. Everything else the queue repeats. */
async function noteFailure(
  deps: GateDeps,
  orgId: string,
  { row, kind, error }: Failure,
): Promise<void> {
  const isGone = error instanceof ProviderError && error.failure === 'notFound'
  if (isGone && kind === 'comment') return expire(deps, orgId, row.id)
  if (isGone) return giveUp(deps, orgId, row, gone)
  const detail = describeFailure(error)
  // A comment is not repeated: the next one says what is the case then.
  if (kind === 'comment' && detail !== undefined) return
  if (error instanceof ProviderError && error.failure === 'rejected') {
    return giveUp(deps, orgId, row, detail ?? gone)
  }
  if (detail !== undefined) {
    const answerDetail = `${detail} It is tried again.`
    await deps.store.transaction({ orgId }, (tx) =>
      noteAnswer(tx, orgId, { ...row, answerState: 'waiting', answerDetail }),
    )
  }
  throw error
}

/** Describes why the code host has no answer; `undefined` of an error of ours. */
function describeFailure(error: unknown): string | undefined {
  if (error instanceof Problem) return error.message
  if (!(error instanceof ProviderError)) return undefined
  return `${displayNameOf(error.provider)} did not take the answer (${error.code}).`
}

async function expire(deps: GateDeps, orgId: string, id: string): Promise<void> {
  await deps.store.transaction({ orgId }, async (tx) => {
    const before = await lockDecision(tx, orgId, id)
    if (before?.state !== 'waiting') return
    const after = {
      ...before,
      state: 'expired',
      decidedAt: deps.now(),
      fence: before.fence + 1,
    } as const
    await storeDecision(deps, tx, orgId, { before, after })
  })
}
