import { newId } from '../../crypto/ids.ts'
import type { TrackerIssue } from '../../providers/tracker.ts'
import type { Tx } from '../../store/store.ts'

/** Describes an issue as the tracker showed it last. */
export interface KnownIssue {
  readonly id: string
  readonly externalId: string
  readonly key: string
}

/** Stores issues of a site as the tracker shows them, and returns them with our ids. Keeps the stored ones that are newer. */
export async function upsertIssues(
  tx: Tx,
  orgId: string,
  { siteId, issues }: { readonly siteId: string; readonly issues: readonly TrackerIssue[] },
  now: Date,
): Promise<KnownIssue[]> {
  if (issues.length === 0) return []
  const values = <K extends keyof TrackerIssue>(name: K) => issues.map((issue) => issue[name])
  return tx.query<KnownIssue>({
    name: 'upsert-issues',
    text: `insert into issues as i (org_id, site_id, fetched_at, id, external_id, key, title, type, status,
        status_category, assignee, priority, url)
      select $1, $2, $3, * from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
        $10::text[], $11::text[], $12::text[], $13::text[])
      on conflict (org_id, site_id, external_id) do update set
        (key, title, type, status, status_category, assignee, priority, url, fetched_at) =
          (select n.key, n.title, n.type, n.status, n.status_category, n.assignee, n.priority, n.url, n.fetched_at
           from (select excluded.*) n where excluded.fetched_at >= i.fetched_at
           union all
           select i.key, i.title, i.type, i.status, i.status_category, i.assignee, i.priority, i.url, i.fetched_at
           where excluded.fetched_at < i.fetched_at)
      returning id, external_id as "externalId", key`,
    values: [
      orgId,
      siteId,
      now,
      issues.map(() => newId('iss', now)),
      values('externalId'),
      values('key'),
      values('title'),
      values('type'),
      values('status'),
      values('statusCategory'),
      values('assignee'),
      values('priority'),
      values('url'),
    ],
  })
}

/** Lists those of `keys` that the site's tracker has shown before. */
export async function listKnownKeys(
  tx: Tx,
  orgId: string,
  { siteId, keys }: { readonly siteId: string; readonly keys: readonly string[] },
): Promise<KnownIssue[]> {
  return tx.query<KnownIssue>({
    name: 'list-known-issue-keys',
    text: `select id, external_id as "externalId", key from issues
      where org_id = $1 and site_id = $2 and key = any ($3)`,
    values: [orgId, siteId, keys],
  })
}
