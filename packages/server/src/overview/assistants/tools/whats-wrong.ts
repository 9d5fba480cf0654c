import {
  diagnosisEndpoints,
  failedJobEndpoints,
  integrationEndpoints,
  overviewEndpoints,
} from '@signalbox/contract/rest'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { toUntrusted } from '../untrusted.ts'

/** Lists what needs a person. */
export const whatsWrongTool = defineTool({
  name: 'whats_wrong',
  title: 'What is wrong',
  description:
    'What needs attention: failed tests, missing keys, overdue flags, failed jobs and webhooks, the health of integrations.',
  scope: 'read',
  input: z.object({}),
  async run({ call, linkTo }) {
    const [{ needsYou }, integrations, failed, { checks }] = await Promise.all([
      call(overviewEndpoints.getOverview),
      call(integrationEndpoints.listIntegrations),
      call(failedJobEndpoints.listFailedJobs, { query: { limit: '20' } }),
      call(diagnosisEndpoints.diagnoseDeployments),
    ])
    return {
      needsAttention: needsYou.map(({ severity, code, subjectId, at, title, detail }) => ({
        severity,
        code,
        subjectId,
        at,
        ...toUntrusted({ title, detail }),
      })),
      integrations: Object.entries(integrations).map(([kind, { state }]) => ({ kind, state })),
      failedJobs: failed.items.map(({ id, kind, failedAt, lastError }) => ({
        id,
        kind,
        failedAt,
        ...toUntrusted({ lastError }),
      })),
      setUp: checks
        .filter(({ state }) => state === 'problem')
        .map(({ code, title, detail }) => ({ code, ...toUntrusted({ title, detail }) })),
      link: linkTo({ page: 'overview' }),
    }
  },
})
