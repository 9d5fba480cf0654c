import type { MadeThing } from '@signalbox/contract/rest'
import type { AuditAction } from '../../audit/audit-event.ts'
import type { Tx } from '../../store/store.ts'

/** Names whose work is looked for: of a member, or of one of their tokens alone. */
export interface MadeFilter {
  readonly userId: string
  readonly tokenId: string | undefined
  readonly now: Date
}

/** Describes something that a member made or changed, and that goes on without them. */
export interface MadeRow extends Pick<MadeThing, 'kind' | 'id' | 'name' | 'did'> {
  readonly at: Date
  readonly lastUsedAt: Date | null
}

/** Lists what is recorded where somebody opens a door: they may know its secret from then on, or have chosen where it leads. */
const opening: readonly AuditAction[] = [
  'key.created',
  'key.updated',
  'key.rotated',
  'invitation.created',
  'scim_token.created',
  'sign_in_provider.created',
  'sign_in_provider.updated',
  'member.role_changed',
  'grant.created',
  'grant.updated',
  'integration.connected',
  'outgoing_webhook.created',
  'outgoing_webhook.updated',
  'outgoing_webhook.rotated',
  'signal.created',
  'signal.updated',
  'target.created',
  'target.updated',
  'target.resumed',
  'target.run_requested',
]

/**
 * Lists what a member made or changed that goes on now, also what they changed before it was stored who made it: the audit log
 * knows. At most a thousand, the newest first.
 */
export async function listMadeRows(
  tx: Tx,
  orgId: string,
  { userId, tokenId, now }: MadeFilter,
): Promise<MadeRow[]> {
  return tx.query<MadeRow>({
    name: 'list-made',
    text: `with opened as materialized (
        select target ->> 'id' as id, max(at) as at from audit_events
        where org_id = $1 and actor ->> 'id' = $2 and action = any ($4::text[])
          and ($3::text is null or actor -> 'credential' ->> 'id' = $3)
        group by 1),
      things as (
        select 'api_key' as kind, k.id, k.name, k.created_by as maker, k.created_at, u.last_used_at
        from api_keys k left join api_key_uses u on u.org_id = k.org_id and u.key_id = k.id
        where k.org_id = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $5)
        union all
        select 'invitation', id, email, invited_by, created_at, null from invitations
        where org_id = $1 and expires_at > $5
        union all
        select 'sign_in_provider', id, name, created_by, created_at, null from sign_in_providers where org_id = $1
        union all
        select 'scim_token', id, name, created_by, created_at, last_used_at from scim_tokens where org_id = $1
        union all
        select 'member', m.user_id, u.name, m.granted_by, m.created_at, null
        from members m join users u on u.id = m.user_id where m.org_id = $1 and m.user_id <> $2
        union all
        select 'grant', a.id, coalesce(g.name, k.name, u.name, ''), a.created_by, a.created_at, null
        from access_grants a left join member_groups g on g.org_id = a.org_id and g.id = a.group_id
        left join api_keys k on k.org_id = a.org_id and k.id = a.key_id left join users u on u.id = a.user_id
        where a.org_id = $1
        union all
        select 'group_member', p.group_id || '/' || p.user_id, u.name || ' in ' || g.name, p.added_by, g.created_at, null
        from group_members p join member_groups g on g.org_id = p.org_id and g.id = p.group_id
        join users u on u.id = p.user_id where p.org_id = $1
        union all
        select 'integration', id, provider, connected_by, connected_at, null from integrations
        where org_id = $1 and state <> 'disconnected'
        union all
        select 'outgoing_webhook', id, name, created_by, created_at, last_sent_at from outgoing_webhooks
        where org_id = $1 and enabled
        union all
        select 'signal', id, name, created_by, created_at, null from signals where org_id = $1
        union all
        select 'target', id, name, created_by, created_at, last_ok_at from targets where org_id = $1 and state = 'active'),
      judged as (
        select t.*, o.at as opened_at, coalesce(t.maker ->> 'id' = $2
            and ($3::text is null or t.maker -> 'credential' ->> 'id' = $3), false) as is_made
        from things t left join opened o on o.id = t.id)
      select kind, id, name, case when is_made then 'created' else 'changed' end as did,
        coalesce(opened_at, created_at, now()) as at, last_used_at as "lastUsedAt"
      from judged where is_made or opened_at is not null order by at desc, id limit 1000`,
    values: [orgId, userId, tokenId ?? null, opening, now],
  })
}

/** Counts what a member made that goes on without them, up to a thousand. */
export async function countMade(
  tx: Tx,
  orgId: string,
  { userId, now }: Pick<MadeFilter, 'userId' | 'now'>,
): Promise<number> {
  const { length } = await listMadeRows(tx, orgId, { userId, tokenId: undefined, now })
  return length
}

/** Returns whether somebody is a member now. */
export async function isMember(tx: Tx, orgId: string, userId: string): Promise<boolean> {
  const rows = await tx.query<{ readonly userId: string }>({
    name: 'is-member',
    text: `select user_id as "userId" from members where org_id = $1 and user_id = $2`,
    values: [orgId, userId],
  })
  return rows.length > 0
}
