import type { AgentScope } from '@signalbox/contract'
import type { Store } from '../../../store/store.ts'
import { listAgentTokenRows, type AgentToken } from '../../members/agent-tokens/rows.ts'
import { afterDays } from '../../personal-tokens/token-rules.ts'
import { longestLifeMs, permitAssistant, type Policies } from './policies.ts'
import {
  listLongKeys,
  listLongTokens,
  listMembersWithoutFactor,
  type LongKey,
  type LongTokens,
  type MemberWithoutFactor,
} from './rows.ts'

/** Describes an agent token that may do less than its member allowed. */
export interface LimitedAssistant extends Pick<AgentToken, 'id' | 'name' | 'clientId'> {
  readonly memberName: string
  /** `null`: nothing. */
  readonly scope: AgentScope | null
}

/** Describes whom policies keep out, and what exists that could not be made any more. */
export interface PolicyEffects {
  readonly withoutSecondFactor: readonly MemberWithoutFactor[]
  readonly longTokens: readonly LongTokens[]
  readonly longKeys: readonly LongKey[]
  readonly assistants: readonly LimitedAssistant[]
}

export interface FindEffectsDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly now: () => Date
}

const tokensJudged = 200

/** Finds the effects that policies of an organization have, or would have. */
export async function findEffects(
  { store, now }: FindEffectsDeps,
  orgId: string,
  policies: Policies,
): Promise<PolicyEffects> {
  const { tokenDays } = policies
  const moment = now()
  const withoutSecondFactor = await store.maintenance((tx) => listMembersWithoutFactor(tx, orgId))
  return store.transaction({ orgId }, async (tx) => {
    const page = { orgId, userId: null, now: moment, beforeId: undefined, limit: tokensJudged }
    const agents = await listAgentTokenRows(tx, page)
    const assistants = agents.flatMap((token) => findLimited(policies, token))
    if (tokenDays === null) return { withoutSecondFactor, assistants, longTokens: [], longKeys: [] }
    const longTokens = await listLongTokens(tx, { orgId, tokenDays, now: moment })
    const longKeys = await listLongKeys(tx, orgId, afterDays(moment, tokenDays))
    return { withoutSecondFactor, assistants, longTokens, longKeys }
  })
}

function findLimited(policies: Policies, token: AgentToken): readonly LimitedAssistant[] {
  const { id, name, clientId, userName: memberName, scope, createdAt, expiresAt } = token
  const clientHost = clientId === null ? undefined : new URL(clientId).host
  const { tokenDays } = policies
  const lifeMs = expiresAt.getTime() - createdAt.getTime()
  const isTooLong = tokenDays !== null && lifeMs > longestLifeMs(tokenDays)
  const most = isTooLong ? undefined : permitAssistant(policies, clientHost)
  if (most === 'write' || most === scope) return []
  return [{ id, name, clientId, memberName, scope: most ?? null }]
}
