import { cutText, limits } from '@signalbox/contract'
import type { AuditRequest } from '../../../../audit/audit-event.ts'
import { newId } from '../../../../crypto/ids.ts'
import { hashOpaqueToken, newOpaqueToken } from '../../../../crypto/opaque-tokens.ts'
import type { Tx } from '../../../../store/store.ts'
import type { OAuthError } from '../../../access-tokens/oauth-parameters.ts'
import { lockOrganization } from '../../../organizations/rows.ts'
import { afterDays } from '../../../personal-tokens/token-rules.ts'
import { fewerDays } from '../../../organizations/policies/policies.ts'
import { findPolicies } from '../../../organizations/policies/rows.ts'
import { findUserName } from '../../../user-rows.ts'
import { addAgentToken } from '../agent-tokens.ts'
import { countAgentTokens } from '../rows.ts'
import { toChallenge } from './allow-request.ts'
import { toolsAddress } from './authorization-request.ts'
import { endReused } from './end-reused.ts'
import { issueAgentTokens, type AgentTokens } from './issue-tokens.ts'
import type { AgentOAuthDeps } from './oauth-deps.ts'
import { findCodeOwner, lockAgentCode, markCodeUsed, type StoredCode } from './rows.ts'

/** Describes the exchange of a code (RFC 6749 §4.1.3). */
export interface CodeRequest {
  readonly grant: 'authorization_code'
  readonly clientId: string
  readonly code: string
  readonly redirectUri: string
  readonly codeVerifier: string
  readonly resource: string | undefined
}

type RedeemDeps = Pick<AgentOAuthDeps, 'store' | 'publicUrl' | 'now'>

/**
 * Exchanges a code for the tokens of an assistant, once. A code that is tried with anything wrong is used up, and one that is used
 * a second time ends what it was exchanged for: either the assistant or somebody else has it who must not.
 */
export async function redeemCode(
  { store, publicUrl, now }: RedeemDeps,
  request: CodeRequest,
  origin: AuditRequest,
): Promise<AgentTokens | OAuthError> {
  const hash = hashOpaqueToken(request.code)
  if (hash === undefined) return unknownCode
  const owner = await store.maintenance((tx) => findCodeOwner(tx, hash))
  if (owner === undefined) return unknownCode
  return store.transaction(owner, async (tx) => {
    // Before the code, in the order of every other use case.
    if (!(await lockOrganization(tx, owner.orgId))) return unknownCode
    const code = await lockAgentCode(tx, hash)
    if (code === undefined) return unknownCode
    const moment = now()
    if (code.usedAt !== null) {
      const { orgId, agentTokenId } = code
      if (agentTokenId !== null) {
        await endReused(tx, { orgId, agentTokenId, secret: 'code', now: moment, request: origin })
      }
      return usedCode
    }
    const failure = findFailure(code, request, { publicUrl: publicUrl(), now: moment })
    const count = await countAgentTokens(tx, { ...owner, now: moment })
    if (failure !== undefined || count >= limits.agentTokensPerMember) {
      await markCodeUsed(tx, { hash, usedAt: moment, agentTokenId: null })
      return failure ?? tooMany
    }
    return connect(tx, { hash, code, now: moment, request: origin })
  })
}

function findFailure(
  code: StoredCode,
  { clientId, redirectUri, codeVerifier, resource }: CodeRequest,
  { publicUrl, now }: { readonly publicUrl: string; readonly now: Date },
): OAuthError | undefined {
  if (code.expiresAt <= now) return refused('The code has expired. Start again.')
  if (code.clientId !== clientId) return refused('The code was given to another client_id.')
  if (code.redirectUri !== redirectUri) return refused('The redirect_uri is another one.')
  if (code.challenge !== toChallenge(codeVerifier)) {
    return refused('The code_verifier does not fit the code_challenge.')
  }
  if (resource !== undefined && resource !== toolsAddress(publicUrl)) return wrongTarget(publicUrl)
  return undefined
}

interface Connect {
  readonly hash: Buffer
  readonly code: StoredCode
  readonly now: Date
  readonly request: AuditRequest
}

async function connect(tx: Tx, { hash, code, now, request }: Connect): Promise<AgentTokens> {
  const { orgId, userId, clientId, scope } = code
  const id = newId('key', now)
  const name = cutText(new URL(clientId).host, 100)
  const policies = await findPolicies(tx, orgId)
  const days = fewerDays(limits.agentTokenDays, policies?.tokenDays ?? null)
  const expiresAt = afterDays(now, days)
  const remote = { handle: null, hash: null, clientId }
  const token = { orgId, id, userId, name, scope, createdAt: now, expiresAt, ...remote }
  const actor = { type: 'user', id: userId, name: await findUserName(tx, userId) } as const
  await addAgentToken(tx, token, { actor, request })
  await markCodeUsed(tx, { hash, usedAt: now, agentTokenId: id })
  return issueAgentTokens(tx, token, { refreshToken: newOpaqueToken().token, now })
}

/** Returns the rejection of tokens for anything but the tools (RFC 8707 §2). */
export function wrongTarget(publicUrl: string): OAuthError {
  return { error: 'invalid_target', description: `The resource is ${toolsAddress(publicUrl)}.` }
}

function refused(description: string): OAuthError {
  return { error: 'invalid_grant', description }
}

const unknownCode = refused('The code is not valid. Start again.')
const usedCode = refused('The code was already used. Start again.')
const tooMany = refused(
  `The member has ${limits.agentTokensPerMember} agent tokens. End one, and start again.`,
)
