import { judgeEveryMs, judgeRows, storeDecision } from './decide.ts'
import { lockWaiting, takeDueDecisions } from './decision-rows.ts'
import type { GateDeps } from './gate-deps.ts'

const takenAtOnce = 500

/** Judges the deployments that wait, of every organization: what they wait for may have come true. */
export async function judgeDecisions(deps: GateDeps): Promise<void> {
  const now = deps.now()
  const nextAt = new Date(now.getTime() + judgeEveryMs)
  const due = await deps.store.maintenance((tx) =>
    takeDueDecisions(tx, { now, nextAt, limit: takenAtOnce }),
  )
  const byOrganization = Map.groupBy(due, ({ orgId }) => orgId)
  const results = await Promise.allSettled(
    [...byOrganization].map(([orgId, decisions]) =>
      judgeOfOrganization(
        deps,
        orgId,
        decisions.map(({ id }) => id),
      ),
    ),
  )
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Judges decisions of one organization and stores what has changed, together with the answers that follow from it. */
async function judgeOfOrganization(
  deps: GateDeps,
  orgId: string,
  ids: readonly string[],
): Promise<void> {
  await deps.store.transaction({ orgId }, async (tx) => {
    const rows = await lockWaiting(tx, orgId, ids)
    const judged = await judgeRows(deps, tx, orgId, rows)
    for (const [index, before] of rows.entries()) {
      const after = judged[index]
      if (after !== undefined) await storeDecision(deps, tx, orgId, { before, after })
    }
  })
}
