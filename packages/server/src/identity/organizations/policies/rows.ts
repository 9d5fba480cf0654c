import type { Role } from '@signalbox/contract'
import type { Maker } from '../../../audit/audit-event.ts'
import type { Tx } from '../../../store/store.ts'
import { longestLifeMs, type Policies, type StoredPolicies } from './policies.ts'

/** Joins the policies, as `p`, of an organization `o`, which need not have any. */
export const joinPolicies = 'left join organization_policies p on p.org_id = o.id'

const hasSecondFactor = `coalesce(has_second_factor(m.org_id, m.user_id), false)`

/** Selects what `o` requires of the member `m`: `MemberPolicies` and `AssistantPolicies`. */
export const memberPolicyColumns = `coalesce(p.second_factor_required, false) and not ${hasSecondFactor} as "lacksSecondFactor",
  p.token_days as "tokenDays", p.session_idle_minutes as "sessionIdleMinutes",
  p.sessions_valid_from as "sessionsValidFrom", coalesce(p.assistants, 'read') as "assistantRule",
  coalesce(p.assistant_hosts, '{}') as "assistantHosts", coalesce(p.own_tokens_listed, true) as "ownTokensListed"`

/** Finds the policies of an organization; those of the beginning, where nobody has changed any. */
export async function findPolicies(tx: Tx, orgId: string): Promise<StoredPolicies | undefined> {
  const [row] = await tx.query<StoredPolicies>({
    name: 'find-policies',
    text: `select coalesce(p.second_factor_required, false) as "secondFactorRequired", p.token_days as "tokenDays",
        p.session_idle_minutes as "sessionIdleMinutes", p.sessions_valid_from as "sessionsValidFrom",
        coalesce(p.assistants, 'read') as "assistantRule", coalesce(p.assistant_hosts, '{}') as "assistantHosts",
        coalesce(p.own_tokens_listed, true) as "ownTokensListed",
        p.changed_at as "changedAt", p.changed_by as "changedBy"
      from organizations o ${joinPolicies} where o.id = $1 and o.deleted_at is null`,
    values: [orgId],
  })
  return row
}

/** Stores the policies of an organization. */
export async function savePolicies(
  tx: Tx,
  { orgId, ...policies }: Policies & { readonly orgId: string },
  { changedAt, changedBy }: { readonly changedAt: Date; readonly changedBy: Maker },
): Promise<void> {
  const { secondFactorRequired, tokenDays, sessionIdleMinutes, sessionsValidFrom } = policies
  const { assistantRule, assistantHosts, ownTokensListed } = policies
  await tx.query({
    name: 'save-policies',
    text: `insert into organization_policies (org_id, second_factor_required, token_days, session_idle_minutes,
        sessions_valid_from, assistants, assistant_hosts, own_tokens_listed, changed_at, changed_by)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      on conflict (org_id) do update set second_factor_required = excluded.second_factor_required,
        token_days = excluded.token_days, session_idle_minutes = excluded.session_idle_minutes,
        sessions_valid_from = excluded.sessions_valid_from, assistants = excluded.assistants,
        assistant_hosts = excluded.assistant_hosts, own_tokens_listed = excluded.own_tokens_listed,
        changed_at = excluded.changed_at, changed_by = excluded.changed_by`,
    values: [
      orgId,
      secondFactorRequired,
      tokenDays,
      sessionIdleMinutes,
      sessionsValidFrom,
      assistantRule,
      assistantHosts,
      ownTokensListed,
      changedAt,
      JSON.stringify(changedBy),
    ],
  })
}

/** Returns the fewest days that an organization of a person allows a token; `null`: none limits them. */
export async function findFewestTokenDays(tx: Tx, userId: string): Promise<number | null> {
  const [row] = await tx.query<{ days: number | null }>({
    name: 'find-fewest-token-days',
    text: `select min(p.token_days) as days from members m join organizations o on o.id = m.org_id ${joinPolicies}
      where m.user_id = $1 and o.deleted_at is null`,
    values: [userId],
  })
  return row?.days ?? null
}

/** More than a person reads. */
const listed = 200

/** Describes a member without a second factor. */
export interface MemberWithoutFactor {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly role: Role
}

/** Lists the members without a second factor, owners first, for maintenance: a request sees its own second factor alone. */
export async function listMembersWithoutFactor(
  tx: Tx,
  orgId: string,
): Promise<MemberWithoutFactor[]> {
  return tx.query<MemberWithoutFactor>({
    name: 'list-members-without-factor',
    text: `select m.user_id as "userId", u.name, u.email, m.role from members m join users u on u.id = m.user_id
      where m.org_id = $1 and not ${hasSecondFactor}
      order by m.role <> 'owner', u.name, m.user_id limit $2`,
    values: [orgId, listed],
  })
}

/** Returns whether a member has a second factor, for maintenance; without `userId`, whether any owner has. */
export async function isFactorHeld(
  tx: Tx,
  orgId: string,
  userId: string | undefined,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'is-factor-held',
    text: `select 1 from members m
      where m.org_id = $1 and m.user_id = coalesce($2, m.user_id) and m.role = 'owner' and ${hasSecondFactor} limit 1`,
    values: [orgId, userId],
  })
  return rows.length > 0
}

/** Describes a member whose personal access tokens work for too long. */
export interface LongTokens {
  readonly userId: string
  readonly name: string
  readonly tokens: number
}

/** Lists the members of whom personal access tokens work for longer than some days. */
export async function listLongTokens(
  tx: Tx,
  {
    orgId,
    tokenDays,
    now,
  }: { readonly orgId: string; readonly tokenDays: number; readonly now: Date },
): Promise<LongTokens[]> {
  return tx.query<LongTokens>({
    name: 'list-long-tokens',
    text: `select m.user_id as "userId", u.name, count(*) as tokens
      from members m join users u on u.id = m.user_id
        join personal_access_tokens t on t.user_id = m.user_id and t.revoked_at is null
      where m.org_id = $1 and (t.expires_at is null
        or t.expires_at > $3 and extract(epoch from t.expires_at - t.created_at) * 1000 > $2::float8)
      group by m.user_id, u.name order by u.name, m.user_id limit $4`,
    values: [orgId, longestLifeMs(tokenDays), now, listed],
  })
}

/** Describes an API key that works for too long. */
export interface LongKey {
  readonly id: string
  readonly name: string
  readonly expiresAt: Date | null
}

/** Lists the API keys that end after a moment, or never. */
export async function listLongKeys(tx: Tx, orgId: string, latest: Date): Promise<LongKey[]> {
  return tx.query<LongKey>({
    name: 'list-long-keys',
    text: `select id, name, expires_at as "expiresAt" from api_keys
      where org_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)
      order by name, id limit $3`,
    values: [orgId, latest, listed],
  })
}
