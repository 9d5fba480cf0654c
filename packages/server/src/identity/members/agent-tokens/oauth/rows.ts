import type { AgentScope } from '@signalbox/contract'
import type { Tx } from '../../../../store/store.ts'

/** Describes a code that an assistant exchanges for its tokens. */
export interface AgentCode {
  readonly orgId: string
  readonly userId: string
  readonly clientId: string
  readonly redirectUri: string
  readonly challenge: string
  readonly scope: AgentScope
  readonly expiresAt: Date
}

/** Inserts a code by its hash. */
export async function insertAgentCode(
  tx: Tx,
  { hash, ...code }: AgentCode & { readonly hash: Buffer },
): Promise<void> {
  const { orgId, userId, clientId, redirectUri, challenge, scope, expiresAt } = code
  await tx.query({
    name: 'insert-agent-code',
    text: `insert into agent_codes (hash, org_id, user_id, client_id, redirect_uri, challenge, scope, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [hash, orgId, userId, clientId, redirectUri, challenge, scope, expiresAt],
  })
}

/** Names the organization and the member of a code or a token. */
export interface SecretOwner {
  readonly orgId: string
  readonly userId: string
}

/** Finds whose code it is, as maintenance: the request names no organization. */
export async function findCodeOwner(tx: Tx, hash: Buffer): Promise<SecretOwner | undefined> {
  const [row] = await tx.query<SecretOwner>({
    name: 'find-agent-code-owner',
    text: 'select org_id as "orgId", user_id as "userId" from agent_codes where hash = $1',
    values: [hash],
  })
  return row
}

/** Describes a code with what became of it. */
export interface StoredCode extends AgentCode {
  readonly usedAt: Date | null
  readonly agentTokenId: string | null
}

/** Locks a code: of two exchanges at once the second finds it used. */
export async function lockAgentCode(tx: Tx, hash: Buffer): Promise<StoredCode | undefined> {
  const [row] = await tx.query<StoredCode>({
    name: 'lock-agent-code',
    text: `select org_id as "orgId", user_id as "userId", client_id as "clientId", redirect_uri as "redirectUri", challenge,
        scope, expires_at as "expiresAt", used_at as "usedAt", agent_token_id as "agentTokenId"
      from agent_codes where hash = $1 for update`,
    values: [hash],
  })
  return row
}

/** Marks a code as used, with what it was exchanged for; `null`: nothing. */
export async function markCodeUsed(
  tx: Tx,
  code: {
    readonly hash: Buffer
    readonly usedAt: Date
    readonly agentTokenId: string | null
  },
): Promise<void> {
  await tx.query({
    name: 'mark-agent-code-used',
    text: 'update agent_codes set used_at = $2, agent_token_id = $3 where hash = $1',
    values: [code.hash, code.usedAt, code.agentTokenId],
  })
}

/** Describes the agent token of a remote assistant. */
export interface RemoteAgentToken {
  readonly id: string
  readonly orgId: string
  readonly userId: string
  readonly name: string
  readonly scope: AgentScope
  readonly clientId: string
  readonly expiresAt: Date
  readonly endedAt: Date | null
}

/** Locks the agent token of a remote assistant, so that its refresh tokens replace each other one by one. */
export async function lockRemoteAgentToken(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<RemoteAgentToken | undefined> {
  const [row] = await tx.query<RemoteAgentToken>({
    name: 'lock-remote-agent-token',
    text: `select org_id as "orgId", id, user_id as "userId", name, scope, client_id as "clientId",
        expires_at as "expiresAt", ended_at as "endedAt"
      from agent_tokens where org_id = $1 and id = $2 and client_id is not null for update`,
    values: [orgId, id],
  })
  return row
}

/** Describes an access token or a refresh token of a remote assistant. */
export interface AgentSecret {
  readonly hash: Buffer
  readonly orgId: string
  readonly agentTokenId: string
  readonly kind: 'access' | 'refresh'
  readonly expiresAt: Date
}

/** Inserts a token by its hash. One that is there already stays as it is. */
export async function recordAgentSecret(tx: Tx, secret: AgentSecret): Promise<void> {
  const { hash, orgId, agentTokenId, kind, expiresAt } = secret
  await tx.query({
    name: 'record-agent-secret',
    text: `insert into agent_token_secrets (hash, org_id, agent_token_id, kind, expires_at) values ($1, $2, $3, $4, $5)
      on conflict (hash) do nothing`,
    values: [hash, orgId, agentTokenId, kind, expiresAt],
  })
}

/** Finds whose token it is, as maintenance: the request names no organization. */
export async function findSecretOwner(
  tx: Tx,
  hash: Buffer,
): Promise<(SecretOwner & { readonly agentTokenId: string }) | undefined> {
  const [row] = await tx.query<SecretOwner & { agentTokenId: string }>({
    name: 'find-agent-secret-owner',
    text: `select s.org_id as "orgId", t.user_id as "userId", t.id as "agentTokenId"
      from agent_token_secrets s join agent_tokens t on t.org_id = s.org_id and t.id = s.agent_token_id
      where s.hash = $1`,
    values: [hash],
  })
  return row
}

/** Finds a refresh token. Its agent token is locked. */
export async function findRefreshToken(
  tx: Tx,
  hash: Buffer,
): Promise<{ readonly usedAt: Date | null } | undefined> {
  const [row] = await tx.query<{ usedAt: Date | null }>({
    name: 'find-refresh-token',
    text: `select used_at as "usedAt" from agent_token_secrets where hash = $1 and kind = 'refresh'`,
    values: [hash],
  })
  return row
}

/** Marks a refresh token as exchanged for the next one. */
export async function markRefreshTokenUsed(tx: Tx, hash: Buffer, usedAt: Date): Promise<void> {
  await tx.query({
    name: 'mark-refresh-token-used',
    text: 'update agent_token_secrets set used_at = $2 where hash = $1',
    values: [hash, usedAt],
  })
}
