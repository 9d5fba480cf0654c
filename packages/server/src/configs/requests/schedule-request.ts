import type { Tx } from '../../store/store.ts'
import type { RequestDeps } from './request-deps.ts'
import type { RequestRow } from './request.ts'

/** Adds the job that applies a request at its time. It does nothing once the time, or what the request does, is another one. */
export async function scheduleRequest(
  { jobs }: Pick<RequestDeps, 'jobs'>,
  tx: Tx,
  orgId: string,
  { id, revision, fence, applyAt }: Pick<RequestRow, 'id' | 'revision' | 'fence' | 'applyAt'>,
): Promise<void> {
  if (applyAt === null) return
  const data = { orgId, id, revision, fence }
  await jobs.enqueue(tx, 'configs.applyRequest', data, { startAfter: applyAt })
}
