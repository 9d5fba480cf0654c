import { Problem } from '@signalbox/contract'
import type { Caller } from '../../config-model/caller.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { askDestination } from './explain-failure.ts'
import { openDestination, readSource } from './open-destination.ts'
import { planNames, type NamePlan } from './plan-names.ts'
import type { TargetDeps } from './target-deps.ts'
import { pageTargetRows } from './target-rows.ts'

/** Holds what the next run of a target will do. */
export interface ReadPlan extends NamePlan {
  readonly targetId: string
  readonly version: number
}

/**
 * Compares an environment with a destination as both are now. It writes nothing.
 *
 * @throws {Problem} `not_found`, `conflict`, `provider_error`, `integration_not_connected`, `reauth_required`
 */
export async function readPlan(deps: TargetDeps, caller: Caller, id: string): Promise<ReadPlan> {
  const { orgId } = caller
  const source = await deps.store.transaction(caller.scope, async (tx) => {
    const [target] = await pageTargetRows(tx, orgId, { after: '', limit: 1, id })
    if (target === undefined) throw notFound()
    return readSource(deps, tx, orgId, target)
  })
  const { target, descriptor: rules, published, ledger } = source
  if (published === undefined) {
    const detail = 'The schema or the environment of this target was deleted. Delete the target.'
    throw new Problem('conflict', detail)
  }
  const remote = await askDestination(deps, target, async () =>
    (await openDestination(deps, orgId, source)).list(),
  )
  const { values, version } = published
  const plan = planNames({
    values: target.state === 'deleting' ? new Map() : values,
    selection: target,
    ledger,
    remote,
    rules,
  })
  return { targetId: id, version, ...plan }
}
