import { z } from 'zod'
import {
  reportedStates,
  type CodehostDeployment,
  type CodehostRepository,
  type CodehostStatus,
} from '../codehost.ts'

/**
 * GitHub's objects in our words, alike in webhooks and in answers of the REST API. Of each only what is used is asked for:
 * everything else in them is passed over, and what may be missing may be missing.
 */

/** Numbers of GitHub, as text: JavaScript cannot hold all of them. */
export const externalId = z
  .union([z.number().int().nonnegative(), z.string().regex(/^\d{1,20}$/)])
  .transform(String)

/** Parses text that may be missing, as `null`. */
export const textOrNull = z
  .string()
  .nullish()
  .catch(null)
  .transform((found) => found ?? null)
/** GitHub says "none" by an empty text, too. */
const linkOrNull = textOrNull.transform((link) => (link === '' ? null : link))
/** Parses an address that people press, chosen by the writer of a status: a page on the web, and no program that it starts. */
const pageOrNull = textOrNull.transform((link) =>
  link !== null && /^https?:\/\//i.test(link) && URL.canParse(link) ? link : null,
)
const flag = z
  .boolean()
  .nullish()
  .catch(false)
  .transform((found) => found ?? false)
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
  .transform((found) => (found ? { name: found.name ?? found.login, login: found.login } : null))

/** Parses a repository of GitHub. */
export const githubRepository = z
  .object({
    id: externalId,
    full_name: z.string(),
    default_branch: textOrNull,
    html_url: textOrNull,
  })
  .transform((found): CodehostRepository => ({
    externalId: found.id,
    fullName: found.full_name,
    defaultBranch: found.default_branch ?? 'main',
    url: found.html_url ?? '',
  }))

/** Longer payloads of deployments are cut: only keys of issues are looked for in them. */
const payloadTextMax = 10_000
const payloadText = z.unknown().transform((payload) => {
  const text = typeof payload === 'string' ? payload : (JSON.stringify(payload) ?? '')
  return text.slice(0, payloadTextMax)
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
    production_environment: flag,
    created_at: moment,
  })
  .transform((found): CodehostDeployment => ({
    externalId: found.id,
    sha: found.sha,
    ref: found.ref,
    task: found.task,
    environment: found.environment,
    description: found.description,
    creator: found.creator,
    payloadText: found.payload ?? '',
    isTransient: found.transient_environment,
    isProduction: found.production_environment,
    createdAt: found.created_at,
    headBranch: null,
    headCommitMessage: null,
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
  .transform((found): CodehostStatus => ({
    externalId: found.id,
    state: found.state,
    environment: found.environment,
    description: found.description,
    environmentUrl: found.environment_url,
    logUrl: found.log_url ?? found.target_url,
    at: found.created_at,
  }))
