import { Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import { everyone, requireReach, type Caller } from '../caller.ts'
import { commit, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { hasOwnValues } from '../values/config-head.ts'
import { requireConsent, toPolicies, type Consent } from '../environments/consent.ts'
import { lockHeads, lockStructure } from '../values/head-rows.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import { withdrawPublications } from '../publication/publication-rows.ts'
import { deleteSchemaRow, findSchemaRow } from './schema-rows.ts'
import { requireVersion } from '../refuse.ts'

export interface DeleteSchema {
  /** Deletes its values too. */
  readonly force: boolean
  readonly consent: Consent
  readonly ifMatch: number | undefined
}

/**
 * Deletes a schema, its values and its versions, and withdraws what was published of it.
 *
 * @throws {Problem} `not_found`; `schema_in_use` when an environment holds values of it and `force` is not set; `revision_mismatch`,
 * `confirmation_required`, `comment_required`.
 */
export async function deleteSchema(
  deps: ConfigDeps,
  caller: Caller,
  ref: string,
  { force, consent, ifMatch }: DeleteSchema,
): Promise<void> {
  const { orgId } = caller
  await commit(deps, caller, async (tx) => {
    await lockStructure(tx, orgId)
    const found = await findSchemaRow(tx, orgId, ref)
    requireReach(caller, { schemaId: found?.id ?? ref, environmentId: everyone })
    if (found === undefined) throw notFound()
    requireVersion(found.revision, ifMatch)
    const locked = await lockHeads(tx, orgId, { schemaIds: [found.id], environmentIds: null })
    const heads = [...(locked.get(found.id)?.values() ?? [])]
    if (!force && heads.some(hasOwnValues)) {
      const detail =
        'Environments hold values of the schema. Repeat with ?force=true to delete them too.'
      throw new Problem('schema_in_use', detail)
    }
    const environmentIds = heads.map(({ environmentId }) => environmentId)
    requireConsent(toPolicies(await listEnvironmentRows(tx, orgId)), environmentIds, consent)
    const pairs = heads.map(({ environmentId }) => ({ schemaId: found.id, environmentId }))
    await withdrawPublications(tx, orgId, pairs)
    await deleteSchemaRow(tx, orgId, found.id)
    recordConfigEvent(tx, caller, {
      action: 'schema.deleted',
      target: { type: 'config_schema', id: found.id, name: found.name },
      detail: { force, ...(consent.comment !== undefined && { comment: consent.comment }) },
    })
  })
}
