import type { StoredDefinition } from '../../config-model/definition.ts'
import { dayMs, forgetSql, type RetentionRule } from '../../store/retention-rule.ts'
import type { Tx } from '../../store/store.ts'

/** Describes a schema that may have secrets which are due at some time. */
export interface NotedSchema {
  readonly orgId: string
  readonly id: string
  readonly name: string
  readonly definition: StoredDefinition
}

/** Lists schemas of every organization whose definitions have notes on the life of secrets, page by page. */
export async function pageNotedSchemas(
  tx: Tx,
  { after, limit }: { readonly after: Pick<NotedSchema, 'orgId' | 'id'>; readonly limit: number },
): Promise<NotedSchema[]> {
  return tx.query<NotedSchema>({
    name: 'page-noted-schemas',
    text: `select org_id as "orgId", id, name, definition from config_schemas
      where (org_id, id) > ($1, $2) and definition::text ~ '"(rotateEvery|expires)"'
      order by org_id, id limit $3`,
    values: [after.orgId, after.id, limit],
  })
}

/** Describes that a secret is due in so many days. */
export interface SecretNotice {
  readonly environmentId: string
  readonly key: string
  readonly dueAt: Date
  readonly days: number
  readonly reason: string
  readonly runbook: string | null
}

/** Stores the notices of a schema that are not stored yet. A trigger writes the messages of outgoing webhooks. */
export async function insertSecretNotices(
  tx: Tx,
  {
    orgId,
    schemaId,
    now,
  }: { readonly orgId: string; readonly schemaId: string; readonly now: Date },
  notices: readonly SecretNotice[],
): Promise<void> {
  await tx.query({
    name: 'insert-secret-notices',
    text: `insert into secret_notices (org_id, schema_id, environment_id, key, due_at, days, reason, runbook, created_at)
      select $1, $2, n.environment_id, n.key, n.due_at, n.days, n.reason, n.runbook, $9
      from unnest($3::text[], $4::text[], $5::timestamptz[], $6::integer[], $7::text[], $8::text[])
        as n (environment_id, key, due_at, days, reason, runbook)
      on conflict do nothing`,
    values: [
      orgId,
      schemaId,
      notices.map(({ environmentId }) => environmentId),
      notices.map(({ key }) => key),
      notices.map(({ dueAt }) => dueAt),
      notices.map(({ days }) => days),
      notices.map(({ reason }) => reason),
      notices.map(({ runbook }) => runbook),
      now,
    ],
  })
}

/** Forgets notices after more than a year. A secret that is still due then is announced once more. */
export const secretNoticeRetention: RetentionRule = {
  keptMs: 400 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-secret-notices',
      text: forgetSql('secret_notices', 'created_at < $1'),
      values: [before, limit],
    }),
}
