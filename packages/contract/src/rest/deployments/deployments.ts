import { z } from 'zod/v4'
import { deploymentStates } from '../../deployment-states.ts'
import { developerOrKey, org, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { commitSha, givenTime, id, page, pageQuery, repositoryName, webLink } from '../shapes.ts'
import { deployment, deploymentDetail } from './shapes.ts'

/** Names are no quotations: they have no line end, and no other control character. */
const oneLine = z.string().regex(/^\P{Cc}*$/u, 'Use text without control characters.')

export const deploymentEndpoints = declareEndpoints({ tag: 'Deployments' })({
  listDeployments: {
    method: 'GET',
    path: `${org}/deployments`,
    summary: 'The deployments, newest first.',
    access: viewerOrKey,
    agents: 'read',
    query: z.strictObject({
      ...pageQuery,
      environmentId: id('env').optional(),
      repository: repositoryName.optional(),
      branch: z.string().max(255).optional(),
      sha: commitSha.optional(),
      state: z.enum(deploymentStates).optional(),
      issueKey: z.string().max(250).optional(),
      from: givenTime.optional(),
      to: givenTime.optional(),
      /**
       * Selects the deployments that the delivery figures count: `live` went live, `failed` failed or was rolled back or, in
       * production, replaced by a hotfix. `from` and `to` are about that moment then, and not about the beginning.
       */
      outcome: z.enum(['live', 'failed']).optional(),
      /**
       * Selects deployments. `exclude` leaves out those that were replaced before they went live, and those of
       * environments that the code host has removed.
       */
      inactive: z.enum(['include', 'exclude']).default('include'),
    }),
    response: { status: 200, body: page(deployment) },
    topics: [
      'deployment',
      'test_run',
      'notification',
      'notification_route',
      'integration',
      'sync',
      'workflow_dispatch',
      'environment',
    ],
    problems: ['invalid_cursor'],
  },
  getDeployment: {
    method: 'GET',
    path: `${org}/deployments/{deployment_id}`,
    summary: 'One deployment with its commits, issues, test runs, messages and timeline.',
    access: viewerOrKey,
    agents: 'read',
    response: { status: 200, body: deploymentDetail },
    topics: [
      'deployment',
      'test_run',
      'notification',
      'notification_route',
      'integration',
      'sync',
      'workflow_dispatch',
      'environment',
      'gate',
    ],
  },
  createDeployment: {
    method: 'POST',
    path: `${org}/deployments`,
    summary: 'Record a deployment, or a new state of it, from a pipeline.',
    description:
      'The deployment replaces the live one of the same repository and environment, even if the code host reported that one. `prod` and `production` are one environment, `prod-eu` and `prod-us` are two.',
    access: developerOrKey,
    quotesOthers: true,
    body: z.strictObject({
      /** Names the repository, `acme/shop`, or holds its address, `https://git.example/acme/shop.git`. */
      repository: oneLine.min(1).max(255),
      sha: commitSha,
      ref: oneLine.min(1).max(255),
      environment: oneLine.min(1).max(255),
      state: z.enum(['queued', 'pending', 'in_progress', 'success', 'failure', 'error']),
      /** Identifies the deployment in repeated calls. Absent: each call records another one. */
      externalId: oneLine.min(1).max(100).optional(),
      commitMessages: z
        .array(z.string().max(64 * 1024))
        .max(1000)
        .optional(),
      url: webLink.optional(),
    }),
    response: { status: 201, body: deployment },
    topics: ['deployment'],
  },
})
