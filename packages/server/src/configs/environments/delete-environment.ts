import { Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import { everyone, requireReach, type Caller } from '../caller.ts'
import { commit, emitEnvironments, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { hasOwnValues } from '../values/config-head.ts'
import { requireConsent, toPolicies, type Consent } from './consent.ts'
import {
  deleteEnvironmentRow,
  findEnvironmentRow,
  listEnvironmentRows,
} from './environment-rows.ts'
import { lockHeads, lockStructure, type HeadsBySchema } from '../values/head-rows.ts'
import { withdrawPublications } from '../publication/publication-rows.ts'
import { requireVersion } from '../refuse.ts'

export interface DeleteEnvironment {
  /** Deletes its values too. */
  readonly force: boolean
  readonly consent: Consent
  readonly ifMatch: number | undefined
}

/**
 * Deletes an environment, its values and its versions, and withdraws what was published of it.
 *
 * @throws {Problem} `not_found`; `environment_in_use` when others inherit from it, or when it holds values and
 * `force` is not set; `revision_mismatch`, `confirmation_required`, `comment_required`.
 */
export async function deleteEnvironment(
  deps: ConfigDeps,
  caller: Caller,
  ref: string,
  { force, consent, ifMatch }: DeleteEnvironment,
): Promise<void> {
  requireReach(caller, { environmentId: everyone })
  await commit(deps, caller, async (tx) => {
    const { orgId } = caller
    await lockStructure(tx, orgId)
    const found = await findEnvironmentRow(tx, orgId, ref)
    if (found === undefined) throw notFound()
    requireVersion(found.revision, ifMatch)
    const environments = await listEnvironmentRows(tx, orgId)
    const children = environments.filter(({ parentId }) => parentId === found.id)
    if (children.length > 0) {
      const names = children.map(({ name }) => name).join(', ')
      const detail = `Give ${names} another parent first: it inherits from this environment.`
      throw new Problem('environment_in_use', detail)
    }
    const heads = await lockHeads(tx, orgId, { schemaIds: null, environmentIds: [found.id] })
    if (!force) requireEmpty(heads)
    requireConsent(toPolicies(environments), [found.id], consent)
    const pairs = [...heads.keys()].map((schemaId) => ({ schemaId, environmentId: found.id }))
    await withdrawPublications(tx, orgId, pairs)
    await deleteEnvironmentRow(tx, orgId, found.id)
    await emitEnvironments(deps, tx, orgId)
    recordConfigEvent(tx, caller, {
      action: 'environment.deleted',
      target: { type: 'environment', id: found.id, name: found.name },
      detail: { force, ...(consent.comment !== undefined && { comment: consent.comment }) },
    })
  })
}

function requireEmpty(heads: HeadsBySchema): void {
  const holds = [...heads.values()].some((group) => [...group.values()].some(hasOwnValues))
  if (!holds) return
  const detail = 'The environment holds values. Repeat with ?force=true to delete them too.'
  throw new Problem('environment_in_use', detail)
}
