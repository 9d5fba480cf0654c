import type { PreviewEnd } from '@signalbox/contract/rest'
import type { Tx } from '../store/store.ts'

/** Describes a preview as it is stored. */
export interface PreviewRow {
  readonly repositoryId: string
  readonly hostEnvironment: string
  readonly pullRequest: number | null
  readonly ruleId: string | null
  /** `null`: it was deleted. */
  readonly environmentId: string | null
  readonly name: string
  readonly state: 'live' | 'archived' | 'deleted'
  readonly createdAt: Date
  readonly askedAt: Date | null
  readonly endReason: PreviewEnd | null
  readonly endDetail: string | null
  readonly endedAt: Date | null
  readonly dismissedAt: Date | null
  readonly browserKeyId: string | null
  readonly serverKeyId: string | null
}

const columns = `p.repository_id as "repositoryId", p.host_environment as "hostEnvironment", p.pull_request as "pullRequest",
  p.rule_id as "ruleId", p.environment_id as "environmentId", p.name, p.state, p.created_at as "createdAt", p.asked_at as "askedAt",
  p.end_reason as "endReason", p.end_detail as "endDetail", p.ended_at as "endedAt", p.dismissed_at as "dismissedAt",
  p.browser_key_id as "browserKeyId", p.server_key_id as "serverKeyId"`

/** Lists the previews of a repository, deleted ones included. */
export async function listPreviewsOf(
  tx: Tx,
  orgId: string,
  repositoryId: string,
): Promise<PreviewRow[]> {
  return tx.query<PreviewRow>({
    name: 'list-previews-of-repository',
    text: `select ${columns} from previews p where p.org_id = $1 and p.repository_id = $2`,
    values: [orgId, repositoryId],
  })
}

/** Lists the previews of an organization that have an environment. */
export async function listPreviewRows(tx: Tx, orgId: string): Promise<PreviewRow[]> {
  return tx.query<PreviewRow>({
    name: 'list-previews',
    text: `select ${columns} from previews p where p.org_id = $1 and p.environment_id is not null order by p.environment_id desc`,
    values: [orgId],
  })
}

/** Inserts a preview, or replaces what is stored of its host environment. */
export async function savePreviewRow(tx: Tx, orgId: string, row: PreviewRow): Promise<void> {
  await tx.query({
    name: 'save-preview',
    text: `insert into previews (org_id, repository_id, host_environment, pull_request, rule_id, environment_id, name, state,
        created_at, asked_at, end_reason, end_detail, ended_at, dismissed_at, browser_key_id, server_key_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
      on conflict (org_id, repository_id, name_key) do update set pull_request = excluded.pull_request,
        rule_id = excluded.rule_id, environment_id = excluded.environment_id, name = excluded.name, state = excluded.state,
        created_at = excluded.created_at, asked_at = excluded.asked_at, end_reason = excluded.end_reason,
        end_detail = excluded.end_detail, ended_at = excluded.ended_at, dismissed_at = excluded.dismissed_at,
        browser_key_id = excluded.browser_key_id, server_key_id = excluded.server_key_id`,
    values: [
      orgId,
      row.repositoryId,
      row.hostEnvironment,
      row.pullRequest,
      row.ruleId,
      row.environmentId,
      row.name,
      row.state,
      row.createdAt,
      row.askedAt,
      row.endReason,
      row.endDetail,
      row.endedAt,
      row.dismissedAt,
      row.browserKeyId,
      row.serverKeyId,
    ],
  })
}

/** Lists the pull requests of live previews of a repository that were last read before a moment, and notes that they are read now. */
export async function takeUnread(
  tx: Tx,
  orgId: string,
  of: { readonly repositoryId: string; readonly before: Date; readonly now: Date },
): Promise<number[]> {
  const rows = await tx.query<{ readonly number: number }>({
    name: 'take-unread-previews',
    text: `update previews set read_at = $4
      where org_id = $1 and repository_id = $2 and state = 'live' and pull_request is not null
        and coalesce(read_at, created_at) < $3
      returning coalesce(pull_request, 0) as number`,
    values: [orgId, of.repositoryId, of.before, of.now],
  })
  return rows.map(({ number }) => number)
}
