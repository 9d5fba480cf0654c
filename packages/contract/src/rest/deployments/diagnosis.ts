import { z } from 'zod/v4'
import { org, viewer } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { nextStep } from '../next-step.ts'

/** Lists the reasons why a list may be empty. */
export const diagnosisCodes = [
  'not_set_up',
  'not_connected',
  'needs_attention',
  'no_repositories',
  'no_events',
  'webhooks_failing',
  'environments_ignored',
  'sync_failed',
] as const

/** Describes why a list that providers fill may be empty. */
export const diagnosis = z
  .object({
    /** Lists the checks in their order. The first problem is the one to solve first. */
    checks: z.array(
      z.object({
        code: z.enum(diagnosisCodes),
        /** Holds the result. `unknown`: an earlier problem must be solved first. */
        state: z.enum(['ok', 'problem', 'unknown']),
        title: z.string(),
        detail: z.string(),
        /** Holds the next step of a problem. */
        next: nextStep.nullable(),
      }),
    ),
  })
  .meta({ id: 'Diagnosis' })

export type Diagnosis = z.infer<typeof diagnosis>

const overviewTag = { tag: 'Overview' } as const

/** Declares the endpoints of diagnoses. */
export const diagnosisEndpoints = declareEndpoints(overviewTag)({
  diagnoseDeployments: {
    method: 'GET',
    path: `${org}/deployments/diagnosis`,
    summary: 'Diagnose why there are no deployments: each check with its result and next step.',
    access: viewer,
    agents: 'read',
    response: { status: 200, body: diagnosis },
    topics: [
      'deployment',
      'test_run',
      'notification',
      'notification_route',
      'integration',
      'sync',
      'workflow_dispatch',
      'webhook_delivery',
      'environment',
    ],
  },
})
