import { Problem } from '@signalbox/contract'
import { listEnvironmentRows } from '../../configs/environments/environment-rows.ts'
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
  const known = new Set((await listEnvironmentRows(tx, orgId)).map(({ id }) => id))
  const detail = 'The organization has no environment with this id.'
  const errors = environmentIds.flatMap((id, at) =>
    known.has(id)
      ? []
      : [{ pointer: `/match/environmentIds/${at}`, code: 'validation_failed' as const, detail }],
  )
  const [first] = errors
  if (first !== undefined) {
    throw new Problem('validation_failed', `${first.pointer}: ${detail}`, { errors })
  }
}
