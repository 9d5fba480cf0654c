import { listEnvironmentRows } from '../../configs/environments/environment-rows.ts'
import { describeUnknown, nameIds, requireKnownIds } from '../../http/input/known-ids.ts'
import type { Tx } from '../../store/store.ts'
import type { RouteMatch } from './match-route.ts'

/**
 * Refuses a match that names environments which the organization does not have: it would never match, without a word.
 *
 * @throws {Problem} `validation_failed` with a pointer to each.
 */
export async function requireEnvironments(
  tx: Tx,
  orgId: string,
  { environmentIds }: Pick<RouteMatch, 'environmentIds'>,
): Promise<void> {
  if (environmentIds === null) return
  requireKnownIds({
    named: nameIds(['match', 'environmentIds'], environmentIds),
    known: new Set((await listEnvironmentRows(tx, orgId)).map(({ id }) => id)),
    detail: describeUnknown('environment'),
  })
}
