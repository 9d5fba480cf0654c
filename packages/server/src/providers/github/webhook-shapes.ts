import { z } from 'zod'

/** Payloads as far as they are used. Everything else in them is passed over, and what may be missing may be missing. */

/** Numbers of GitHub, as text: JavaScript cannot hold all of them. */
const externalId = z
  .union([z.number().int().nonnegative(), z.string().regex(/^\d{1,20}$/)])
  .transform(String)

const text = z.string()
const textOrNull = z.string().nullish().catch(null)
/** GitHub says "none" by an empty text, too. */
const linkOrNull = textOrNull.transform((link) => (link === '' ? null : (link ?? null)))
const flag = z.boolean().nullish().catch(false)
const isDate = (value: string): boolean => !Number.isNaN(Date.parse(value))
const moment = z
  .string()
  .refine(isDate)
  .transform((value) => new Date(value))

const person = z
  .object({ login: text, name: textOrNull })
  .nullish()
  .catch(null)
  .transform((found) => (found ? { name: found.name ?? found.login, login: found.login } : null))

const repository = z
  .object({ id: externalId, full_name: text, default_branch: textOrNull, html_url: textOrNull })
  .transform((found) => ({
    externalId: found.id,
    fullName: found.full_name,
    defaultBranch: found.default_branch ?? 'main',
    url: found.html_url ?? '',
  }))

const deployment = z.object({
  id: externalId,
  sha: text,
  ref: text,
  task: text.catch('deploy'),
  environment: text,
  description: textOrNull,
  creator: person,
  payload: z.unknown().optional(),
  transient_environment: flag,
  production_environment: flag,
  created_at: moment,
})

/** The run that made a deployment, where one did. */
const makingRun = z
  .object({
    head_branch: textOrNull,
    head_commit: z.object({ message: textOrNull }).nullish().catch(null),
  })
  .nullish()
  .catch(null)

const states = [
  'waiting',
  'queued',
  'pending',
  'in_progress',
  'success',
  'failure',
  'error',
  'inactive',
] as const

export const deploymentPayload = z.object({
  deployment,
  repository,
  workflow_run: makingRun,
})

export const deploymentStatusPayload = deploymentPayload.extend({
  deployment_status: z.object({
    id: externalId,
    state: z.enum([...states, 'unknown']).catch('unknown'),
    environment: linkOrNull,
    description: textOrNull,
    environment_url: linkOrNull,
    log_url: linkOrNull,
    target_url: linkOrNull,
    created_at: moment,
  }),
})

/** What has not begun yet goes by several names. */
const runStatuses = {
  requested: 'queued',
  waiting: 'queued',
  pending: 'queued',
  queued: 'queued',
  in_progress: 'in_progress',
  completed: 'completed',
} as const
const runStatusNames = [
  'requested',
  'waiting',
  'pending',
  'queued',
  'in_progress',
  'completed',
] as const

export const workflowRunPayload = z.object({
  repository,
  workflow_run: z.object({
    id: externalId,
    workflow_id: externalId,
    run_attempt: z.number().int().positive().nullish().catch(1),
    event: text.catch('unknown'),
    status: z
      .enum(runStatusNames)
      .transform((status) => runStatuses[status])
      .or(z.unknown().transform(() => 'unknown' as const)),
    conclusion: textOrNull,
    head_sha: text,
    head_branch: textOrNull,
    display_title: textOrNull,
    name: textOrNull,
    html_url: text.catch(''),
    run_started_at: moment.nullish().catch(null),
    updated_at: moment,
  }),
})

export const pushPayload = z.object({ repository, ref: text, after: text, deleted: flag })

export const installationPayload = z.object({
  action: text,
  installation: z.object({ id: externalId }),
})

export const authorizationPayload = z.object({ sender: z.object({ login: text }) })
