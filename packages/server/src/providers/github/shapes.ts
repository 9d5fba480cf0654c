import { cutText } from '@signalbox/contract'
import { z } from 'zod'
import { externalId, pageOrNull, textOrNull } from '../codehosts/fields.ts'
import {
  reportedStates,
  type CodehostDeployment,
  type CodehostStatus,
} from '../codehosts/deployment.ts'
import type { CodehostRepository } from '../codehosts/repository.ts'

/**
 * Parses GitHub's objects into our own, those of webhooks and those of the REST API alike. Requires only the fields that are used,
 * and tolerates that optional ones are missing.
 */

/** GitHub says "none" by an empty text, too. */
const linkOrNull = textOrNull.transform((link) => (link === '' ? null : link))
const flag = z
  .boolean()
  .nullish()
  .catch(false)
  .transform((value) => value ?? false)
const isDate = (value: string): boolean => !Number.isNaN(Date.parse(value))
/** Parses a moment. */
export const moment = z
  .string()
  .refine(isDate)
  .transform((value) => new Date(value))

const person = z
  .object({ login: z.string(), name: textOrNull })
  .nullish()
  .catch(null)
  .transform((user) => (user ? { name: user.name ?? user.login, login: user.login } : null))

/** Parses a repository of GitHub. */
export const githubRepository = z
  .object({
    id: externalId,
    full_name: z.string(),
    default_branch: textOrNull,
    html_url: textOrNull,
  })
  .transform((repository): CodehostRepository => ({
    externalId: repository.id,
    fullName: repository.full_name,
    defaultBranch: repository.default_branch ?? 'main',
    url: repository.html_url ?? '',
  }))

/** Longer payloads of deployments are cut: only keys of issues are looked for in them. */
const payloadTextMax = 10_000
const payloadText = z.unknown().transform((payload) => {
  const text = typeof payload === 'string' ? payload : (JSON.stringify(payload) ?? '')
  return cutText(text, payloadTextMax)
})

/** Parses a deployment of GitHub. The run that made it is known to webhooks alone. */
export const githubDeployment = z
  .object({
    id: externalId,
    sha: z.string(),
    ref: z.string(),
    task: z.string().catch('deploy'),
    environment: z.string(),
    description: textOrNull,
    creator: person,
    payload: payloadText.optional(),
    transient_environment: flag,
    created_at: moment,
  })
  .transform((deployment): CodehostDeployment => ({
    externalId: deployment.id,
    sha: deployment.sha,
    ref: deployment.ref,
    task: deployment.task,
    environment: deployment.environment,
    description: deployment.description,
    creator: deployment.creator,
    payloadText: deployment.payload ?? '',
    isTransient: deployment.transient_environment,
    createdAt: deployment.created_at,
    headBranch: null,
    headCommitMessage: null,
    workflowId: null,
    run: null,
  }))

/** Parses a status of a deployment of GitHub. */
export const githubStatus = z
  .object({
    id: externalId,
    state: z.enum(reportedStates).catch('unknown'),
    environment: linkOrNull,
    description: textOrNull,
    environment_url: pageOrNull,
    log_url: pageOrNull,
    target_url: pageOrNull,
    created_at: moment,
  })
  .transform((status): CodehostStatus => ({
    externalId: status.id,
    state: status.state,
    environment: status.environment,
    description: status.description,
    environmentUrl: status.environment_url,
    logUrl: status.log_url ?? status.target_url,
    at: status.created_at,
  }))
