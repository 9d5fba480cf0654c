import { z } from 'zod'
import { externalId, textOrNull } from '../codehosts/fields.ts'
import { githubDeployment, githubRepository, githubStatus } from './shapes.ts'
import { githubPullRequest } from './checks/pull-request-shape.ts'
import { githubRun } from './run-shape.ts'

/** Payloads of webhooks as far as they are used. */

/** The run that made a deployment, where one did. */
const makingRun = z
  .object({
    id: externalId.nullish().catch(null),
    run_attempt: z.int().catch(1),
    head_branch: textOrNull,
    head_commit: z.object({ message: textOrNull }).nullish().catch(null),
  })
  .nullish()
  .catch(null)

/** The workflow of that run. */
const makingWorkflow = z.object({ id: externalId }).nullish().catch(null)

export const deploymentPayload = z.object({
  deployment: githubDeployment,
  repository: githubRepository,
  workflow: makingWorkflow,
  workflow_run: makingRun,
})

export const deploymentStatusPayload = deploymentPayload.extend({
  deployment_status: githubStatus,
  check_run: z.object({ name: textOrNull }).nullish().catch(null),
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

export const pullRequestPayload = z.object({
  action: z.string(),
  repository: githubRepository,
  pull_request: githubPullRequest,
})

export const installationPayload = z.object({
  action: z.string(),
  installation: z.object({ id: externalId }),
})

/** Parses the payload of `github_app_authorization`. */
export const authorizationPayload = z.object({ sender: z.object({ login: z.string() }) })
