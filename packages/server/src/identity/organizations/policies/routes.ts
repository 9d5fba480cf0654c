import { policyEndpoints as endpoints, type organizationPolicies } from '@signalbox/contract/rest'
import type { z } from 'zod'
import { presentAuthor, presentCredential } from '../../../audit/author.ts'
import { notFound } from '../../../http/answers/problem-response.ts'
import type { Router } from '../../../http/router.ts'
import { toCaller } from '../../caller.ts'
import { findEffects, type FindEffectsDeps, type PolicyEffects } from './find-effects.ts'
import type { StoredPolicies } from './policies.ts'
import { findPolicies } from './rows.ts'
import { endMemberSessions, updatePolicies } from './update-policies.ts'

/** Mounts `/organizations/{org_id}/policies`. */
export function mountPolicies(router: Router, deps: FindEffectsDeps): void {
  const withEffects = async (orgId: string, policies: StoredPolicies) => ({
    policies,
    effects: await findEffects(deps, orgId, policies),
  })
  router
    .add(endpoints.getPolicies, {
      async handle({ organization: { id }, scope }) {
        const policies = await deps.store.transaction(scope, (tx) => findPolicies(tx, id))
        if (policies === undefined) throw notFound()
        return withEffects(id, policies)
      },
      present: presentPolicies,
    })
    .add(endpoints.updatePolicies, {
      async handle(request) {
        const { id: orgId, name: orgName } = request.organization
        const { dryRun, assistants, ...rest } = request.body
        const policies = {
          ...rest,
          assistantRule: assistants.rule,
          assistantHosts: [...new Set(assistants.hosts)],
          ownTokensListed: assistants.ownTokens,
        }
        const caller = toCaller(request)
        const saved = await updatePolicies(deps, { orgId, orgName, policies, dryRun, caller })
        return withEffects(orgId, saved)
      },
      present: presentPolicies,
    })
    .add(endpoints.endMemberSessions, {
      handle: (request) => {
        const { id: orgId, name: orgName } = request.organization
        return endMemberSessions(deps, { orgId, orgName, caller: toCaller(request) })
      },
    })
}

function presentPolicies({
  policies,
  effects,
}: {
  readonly policies: StoredPolicies
  readonly effects: PolicyEffects
}): z.input<typeof organizationPolicies> {
  const { secondFactorRequired, tokenDays, sessionIdleMinutes, sessionsValidFrom } = policies
  const { assistantRule: rule, assistantHosts, ownTokensListed: ownTokens } = policies
  return {
    secondFactorRequired,
    tokenDays,
    sessionIdleMinutes,
    assistants: { rule, hosts: [...assistantHosts], ownTokens },
    sessionsValidFrom: sessionsValidFrom?.toISOString() ?? null,
    changedAt: policies.changedAt?.toISOString() ?? null,
    changedBy: presentAuthor(policies.changedBy),
    changedWith: presentCredential(policies.changedBy),
    effects: {
      withoutSecondFactor: [...effects.withoutSecondFactor],
      longTokens: [...effects.longTokens],
      longKeys: effects.longKeys.map(({ expiresAt, ...key }) => ({
        ...key,
        expiresAt: expiresAt?.toISOString() ?? null,
      })),
      assistants: effects.assistants.map(({ clientId, ...token }) => ({
        ...token,
        clientHost: clientId === null ? null : new URL(clientId).host,
      })),
    },
  }
}
