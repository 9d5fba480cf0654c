import type { CodehostRun } from '../providers/codehost.ts'
import type { Tx } from '../store/store.ts'
import { findDispatch, isOtherStartOpen, listKnownRuns, settleDispatch } from './dispatch-rows.ts'
import { isOpen, type WorkflowDispatch } from './dispatch.ts'
import { isLookedFor, listCandidates, lookAfterMs, startedWithin } from './look-for-run.ts'
import { readDispatchId, readRunId } from './run-title.ts'
import type { DispatchDeps } from './test-run-deps.ts'

/**
 * Looks for the run of a dispatch that gave no answer: the one with our id in its title, or else the only one that an
 * application started on that ref in that time and that is nobody else's. Where there is none after 90 seconds, the
 * dispatch says so; it is never sent again.
 */
export async function findDispatchRun(
  deps: DispatchDeps,
  { orgId, dispatchId }: { readonly orgId: string; readonly dispatchId: string },
): Promise<void> {
  const { store, now } = deps
  const dispatch = await store.transaction({ orgId }, (tx) => findDispatch(tx, orgId, dispatchId))
  if (dispatch === undefined || !isOpen(dispatch)) return
  const { repositoryExternalId, workflowId, requestedAt } = dispatch
  const askedAt = now()
  const place = { orgId, repositoryExternalId, workflowId }
  const candidates = await listCandidates(deps, place, requestedAt)
  await store.transaction({ orgId }, async (tx) => {
    const found = await chooseRun(tx, orgId, dispatch, candidates)
    if (found !== undefined) {
      await settleDispatch(tx, orgId, dispatchId, toFound(found))
      return
    }
    const isOver = !isLookedFor(requestedAt, askedAt)
    const ambiguous = { state: 'ambiguous', externalId: null, url: null } as const
    const reason = isOver ? 'run_not_found' : null
    await settleDispatch(tx, orgId, dispatchId, { ...ambiguous, reason })
    if (isOver) return
    const startAfter = new Date(now().getTime() + lookAfterMs)
    const of = { orgId, id: dispatchId }
    await deps.jobs.enqueue(tx, 'testRuns.findDispatch', of, { key: dispatchId, startAfter })
  })
}

/** A dispatch whose run became known after the answer. */
export function toFound({ externalId, url }: Pick<CodehostRun, 'externalId' | 'url'>) {
  return { state: 'found', reason: null, externalId, url } as const
}

async function chooseRun(
  tx: Tx,
  orgId: string,
  { id, repositoryId, ref, requestedAt }: WorkflowDispatch,
  candidates: readonly CodehostRun[],
): Promise<CodehostRun | undefined> {
  const named = candidates.find(({ title }) => readDispatchId(title) === id)
  if (named !== undefined) return named
  const window = startedWithin(requestedAt)
  if (await isOtherStartOpen(tx, orgId, { repositoryId, id, ...window })) return undefined
  const externalIds = candidates.map(({ externalId }) => externalId)
  const known = new Set(await listKnownRuns(tx, orgId, { repositoryId, externalIds }))
  const branch = ref.replace(/^refs\/(?:heads|tags)\//, '')
  const [only, ...others] = candidates.filter(
    (run) =>
      run.isByApp &&
      run.headBranch === branch &&
      !known.has(run.externalId) &&
      readDispatchId(run.title) === undefined &&
      readRunId(run.title) === undefined,
  )
  return others.length === 0 ? only : undefined
}
