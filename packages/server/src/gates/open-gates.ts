import { repeatTasks } from '../jobs/repeat-tasks.ts'
import type { Feature, Kit } from '../kit.ts'
import type { OpenCodehost } from '../integrations/grants/open-provider.ts'
import { toPageUrl } from '../notifications/page-url.ts'
import type { SenderDeps } from '../test-runs/reports/authorize-sender.ts'
import type { GateDeps } from './gate-deps.ts'
import { mountGates } from './gate-routes.ts'
import { workGates } from './jobs.ts'
import { judgeEveryMs } from './decide.ts'
import { judgeDecisions } from './judge-decisions.ts'

/** Describes what gates need of other features. */
export interface GatePorts extends SenderDeps {
  readonly openCodehost: OpenCodehost
}

/** Returns what the use cases of gates work with, also those that a webhook starts. */
export function toGateDeps(
  { store, jobs, keys, emit, settings, publicUrl, now }: Kit,
  { openCodehost }: Pick<GatePorts, 'openCodehost'>,
): GateDeps {
  const pageUrl = toPageUrl({ settings, publicUrl })
  return {
    store,
    jobs,
    keys,
    emit,
    openCodehost,
    now,
    decisionUrl: (orgId, id) =>
      pageUrl(orgId, { page: 'gateDecision', params: { decisionId: id } }),
  }
}

/** Opens gates, their decisions, and freezes. */
export function openGates(kit: Kit, ports: GatePorts): Feature {
  const deps = toGateDeps(kit, ports)
  const { authenticate, resolveOrganization, findOrganizationId, pipelineTokens } = ports
  const onError = (error: unknown) => {
    kit.log.error('Deployments that wait were not judged', { error })
  }
  return {
    mount: (router) => {
      mountGates(router, {
        ...deps,
        authenticate,
        resolveOrganization,
        findOrganizationId,
        pipelineTokens,
      })
    },
    async work() {
      await workGates(kit.jobs, deps)
      const task = { everyMs: judgeEveryMs, work: () => judgeDecisions(deps) }
      kit.closing.push(repeatTasks([task], onError))
    },
  }
}
