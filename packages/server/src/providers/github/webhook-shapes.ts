import { z } from 'zod'
import {
  externalId,
  githubDeployment,
  githubRepository,
  githubStatus,
  textOrNull,
} from './shapes.ts'
import { githubRun } from './run-shape.ts'

/** Payloads of webhooks as far as they are used. */

/** The run that made a deployment, where one did. */
const makingRun = z
  .object({
    head_branch: textOrNull,
    head_commit: z.object({ message: textOrNull }).nullish().catch(null),
  })
  .nullish()
  .catch(null)

export const deploymentPayload = z.object({
  deployment: githubDeployment,
  repository: githubRepository,
  workflow_run: makingRun,
})

export const deploymentStatusPayload = deploymentPayload.extend({
  deployment_status: githubStatus,
})

export const workflowRunPayload = z.object({
  repository: githubRepository,
  workflow_run: githubRun,
})

export const pushPayload = z.object({
  repository: githubRepository,
  ref: z.string(),
  after: z.string(),
  deleted: z.boolean().nullish().catch(false),
})

export const installationPayload = z.object({
  action: z.string(),
  installation: z.object({ id: externalId }),
})

export const authorizationPayload = z.object({ sender: z.object({ login: z.string() }) })
