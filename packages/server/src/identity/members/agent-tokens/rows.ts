import type { AgentScope } from '@signalbox/contract'
import type { Tx } from '../../../store/store.ts'

/** Describes an agent token as members see it: never the token. */
export interface AgentToken {
  readonly id: string
  readonly name: string
  /** `null`: a remote assistant, whose access tokens are other rows. */
  readonly handle: string | null
  readonly scope: AgentScope
  readonly userId: string
  readonly userName: string
  /** Names the assistant as it named itself at its last use. */
  readonly client: string | null
  /** Holds the address that describes the assistant, where a member connected it by OAuth. */
  readonly clientId: string | null
  readonly expiresAt: Date
  readonly lastUsedAt: Date | null
  readonly createdAt: Date
}

/** Describes a token that is to be stored. */
export interface NewAgentToken extends Omit<AgentToken, 'lastUsedAt' | 'client' | 'userName'> {
  readonly orgId: string
  /** `null`: a remote assistant, whose access tokens are other rows. */
  readonly hash: Buffer | null
}

export async function insertAgentToken(tx: Tx, token: NewAgentToken): Promise<void> {
  const { orgId, id, userId, name, scope, handle, hash, clientId, createdAt, expiresAt } = token
  await tx.query({
    name: 'insert-agent-token',
    text: `insert into agent_tokens (org_id, id, user_id, name, scope, handle, hash, client_id, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [orgId, id, userId, name, scope, handle, hash, clientId, createdAt, expiresAt],
  })
}

/** Counts the tokens of a member that work. */
export async function countAgentTokens(
  tx: Tx,
  { orgId, userId, now }: { readonly orgId: string; readonly userId: string; readonly now: Date },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>({
    name: 'count-agent-tokens',
    text: `select count(*) as count from agent_tokens
      where org_id = $1 and user_id = $2 and ended_at is null and expires_at > $3`,
    values: [orgId, userId, now],
  })
  return row?.count ?? 0
}

/** Describes which tokens of an organization are listed. */
export interface ListAgentTokens {
  readonly orgId: string
  /** `null`: those of every member. */
  readonly userId: string | null
  readonly now: Date
  readonly beforeId: string | undefined
  readonly limit: number
}

/** Lists tokens that work, newest first. */
export async function listAgentTokenRows(
  tx: Tx,
  { orgId, userId, now, beforeId, limit }: ListAgentTokens,
): Promise<AgentToken[]> {
  return tx.query<AgentToken>({
    name: 'list-agent-tokens',
    text: `select t.id, t.name, t.handle, t.scope, t.user_id as "userId", u.name as "userName", t.client,
        t.client_id as "clientId",
        t.expires_at as "expiresAt", t.last_used_at as "lastUsedAt", t.created_at as "createdAt"
      from agent_tokens t join users u on u.id = t.user_id
      where t.org_id = $1 and ($2::text is null or t.user_id = $2) and t.ended_at is null and t.expires_at > $3
        and ($4::text is null or t.id < $4)
      order by t.id desc limit $5`,
    values: [orgId, userId, now, beforeId, limit],
  })
}

/** Ends a token, of one member or with `userId: null` of any. Returns its name, or `undefined` when there is no such token. */
export async function markAgentTokenEnded(
  tx: Tx,
  token: {
    readonly orgId: string
    readonly userId: string | null
    readonly id: string
    readonly endedAt: Date
  },
): Promise<{ readonly name: string; readonly userId: string } | undefined> {
  const [row] = await tx.query<{ name: string; userId: string }>({
    name: 'mark-agent-token-ended',
    text: `update agent_tokens set ended_at = $4
      where org_id = $1 and id = $2 and ($3::text is null or user_id = $3) and ended_at is null
      returning name, user_id as "userId"`,
    values: [token.orgId, token.id, token.userId, token.endedAt],
  })
  return row
}

/** Describes the member of a token. */
export interface AgentTokenOwner {
  readonly orgId: string
  readonly id: string
  /** `null`: a remote assistant has no token of its own, so its handle is found nowhere. */
  readonly hash: Buffer | null
  readonly scope: AgentScope
  readonly createdAt: Date
  /** Holds the end of the token itself, which its access tokens do not outlive. */
  readonly endsAt: Date
  readonly expiresAt: Date
  readonly endedAt: Date | null
  readonly userId: string
  readonly userName: string
  readonly clientId: string | null
}

/**
 * Finds an agent token by its secret, or by an access token that was issued for it, with its member. As maintenance: a request has
 * no organization before its token is known.
 */
export async function findAgentTokenOwner(
  tx: Tx,
  { handle, hash }: { readonly handle: string; readonly hash: Buffer },
): Promise<AgentTokenOwner | undefined> {
  const [row] = await tx.query<AgentTokenOwner>({
    name: 'find-agent-token',
    text: `select t.org_id as "orgId", t.id, t.hash, t.scope, t.created_at as "createdAt", t.expires_at as "endsAt",
        t.expires_at as "expiresAt", t.ended_at as "endedAt", t.client_id as "clientId", u.id as "userId", u.name as "userName"
      from agent_tokens t join users u on u.id = t.user_id where t.handle = $1
      union all
      select t.org_id, t.id, s.hash, t.scope, t.created_at, t.expires_at, least(t.expires_at, s.expires_at), t.ended_at, t.client_id, u.id, u.name
      from agent_token_secrets s
        join agent_tokens t on t.org_id = s.org_id and t.id = s.agent_token_id
        join users u on u.id = t.user_id
      where s.hash = $2 and s.kind = 'access'`,
    values: [handle, hash],
  })
  return row
}

/** Describes the last use of an agent token. */
export interface AgentTokenUse {
  readonly orgId: string
  readonly tokenId: string
  readonly client: string
  readonly usedAt: Date
}

/** Records uses of agent tokens, as maintenance. */
export async function recordAgentTokenUses(tx: Tx, uses: readonly AgentTokenUse[]): Promise<void> {
  await tx.query({
    name: 'record-agent-token-uses',
    text: `update agent_tokens t set last_used_at = greatest(t.last_used_at, given.used_at), client = given.client
      from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[]) as given (org_id, id, used_at, client)
      where t.org_id = given.org_id and t.id = given.id`,
    values: [
      uses.map(({ orgId }) => orgId),
      uses.map(({ tokenId }) => tokenId),
      uses.map(({ usedAt }) => usedAt),
      uses.map(({ client }) => client),
    ],
  })
}

/** Removes tokens that ended before a moment, for maintenance. Returns how many. */
export async function deleteEndedAgentTokens(tx: Tx, endedBefore: Date): Promise<number> {
  const rows = await tx.query({
    name: 'delete-ended-agent-tokens',
    text: 'delete from agent_tokens where least(ended_at, expires_at) < $1 returning 1',
    values: [endedBefore],
  })
  return rows.length
}
