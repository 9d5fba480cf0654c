import { reachedNotice } from '@signalbox/contract'
import { fromStoredDefinition } from '../../config-model/definition.ts'
import type { Store } from '../../store/store.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import { listLivingSecrets } from '../summarize-configs.ts'
import { readCurrentValues } from '../values/current-rows.ts'
import {
  insertSecretNotices,
  pageNotedSchemas,
  type NotedSchema,
  type SecretNotice,
} from './notice-rows.ts'

/** Describes what the search for due secrets works with. */
export interface NoteDueDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly now: () => Date
}

const perPage = 50

/**
 * Notes each secret of every organization that is due in two weeks, in three days, or now: once for each of them. Where a notice
 * was missed, such as after a stop, the last one that has been reached is noted.
 */
export async function noteDueSecrets(deps: NoteDueDeps): Promise<void> {
  let after = { orgId: '', id: '' }
  for (;;) {
    const page = await deps.store.maintenance((tx) =>
      pageNotedSchemas(tx, { after, limit: perPage }),
    )
    for (const schema of page) await noteSchema(deps, schema)
    const last = page.at(-1)
    if (last === undefined || page.length < perPage) return
    after = { orgId: last.orgId, id: last.id }
  }
}

async function noteSchema({ store, now }: NoteDueDeps, schema: NotedSchema): Promise<void> {
  const { orgId, id: schemaId } = schema
  const moment = now()
  await store.transaction({ orgId }, async (tx) => {
    const environments = await listEnvironmentRows(tx, orgId)
    const currentValues = await readCurrentValues(tx, { orgId, schemaId })
    const definition = fromStoredDefinition(schema.definition)
    const secrets = listLivingSecrets({ ...schema, definition }, environments, currentValues)
    const notices = secrets.flatMap((secret): SecretNotice[] => {
      const days = reachedNotice(secret, moment)
      if (days === undefined) return []
      const { environmentId, key, reason, runbook = null } = secret
      return [{ environmentId, key, dueAt: new Date(secret.dueAt), days, reason, runbook }]
    })
    if (notices.length > 0) await insertSecretNotices(tx, { orgId, schemaId, now: moment }, notices)
  })
}
