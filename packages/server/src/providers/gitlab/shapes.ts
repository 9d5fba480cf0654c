import { z } from 'zod'
import { externalId, pageOrNull, textOrNull } from '../codehosts/fields.ts'
import {
  orderByRank,
  type CodehostDeployment,
  type CodehostStatus,
  type ReportedState,
} from '../codehosts/deployment.ts'
import type { CodehostCommit } from '../codehosts/commit.ts'
import type { CodehostRepository } from '../codehosts/repository.ts'
import { toRepositoryId } from './instance.ts'

/**
 * Parses GitLab's objects into our own. Requires only the fields that are used, and tolerates that optional ones are missing.
 */

/** Parses a moment. Webhooks write `2021-04-28 21:50:00 +0200`, the API ISO 8601. */
export const moment = z
  .string()
  .transform((text) =>
    text
      .replace(/^(\S+) (\d\d:\d\d:\d\d) UTC$/, '$1T$2Z')
      .replace(/^(\S+) (\d\d:\d\d:\d\d) ([+-]\d\d):?(\d\d)$/, '$1T$2$3:$4'),
  )
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => new Date(text))
const momentOrNull = moment.nullish().catch(null)

/** Returns the parser of a project of an instance, as the API shows one and as webhooks do. */
export const projectOf = (instance: string) =>
  z
    .object({
      id: externalId,
      path_with_namespace: z.string(),
      default_branch: textOrNull,
      web_url: textOrNull,
    })
    .transform((project): CodehostRepository => ({
      externalId: toRepositoryId(instance, project.id),
      fullName: project.path_with_namespace,
      defaultBranch: project.default_branch ?? 'main',
      url: project.web_url ?? '',
    }))

export const gitlabCommit = z
  .object({
    id: z.string(),
    message: z.string().catch(''),
    author_name: textOrNull,
    authored_date: momentOrNull,
    web_url: pageOrNull,
    parent_ids: z.array(z.string()).nullish().catch([]),
  })
  .transform((commit): CodehostCommit => ({
    sha: commit.id,
    message: commit.message,
    author: commit.author_name === null ? null : { name: commit.author_name, login: null },
    at: commit.authored_date ?? null,
    url: commit.web_url,
    parents: commit.parent_ids ?? [],
  }))

interface Stage {
  readonly state: ReportedState
  /** Orders the stages. A deployment goes through each once, and from the last on there is no other. */
  readonly rank: number
  readonly text: string | null
}

const stages = new Map<string, Stage>([
  ['created', { state: 'queued', rank: 1, text: null }],
  ['blocked', { state: 'waiting', rank: 2, text: 'Waits for an approval.' }],
  ['running', { state: 'in_progress', rank: 3, text: null }],
  ['success', { state: 'success', rank: 4, text: null }],
  ['failed', { state: 'failure', rank: 4, text: null }],
  ['canceled', { state: 'error', rank: 4, text: 'Canceled.' }],
  ['skipped', { state: 'error', rank: 4, text: 'Skipped.' }],
])
const endRank = 4
const unknownStage: Stage = { state: 'unknown', rank: 0, text: null }

const environment = z.object({
  name: z.string(),
  external_url: pageOrNull,
})
const deployable = z
  .object({
    name: textOrNull,
    tag: z.boolean().nullish().catch(null),
    finished_at: momentOrNull,
    web_url: pageOrNull,
    commit: z.object({ message: textOrNull }).nullish().catch(null),
    pipeline: z.object({ id: externalId }).nullish().catch(null),
  })
  .nullish()
  .catch(null)
const person = z.object({ name: textOrNull, username: z.string() }).nullish().catch(null)

/** Holds a deployment and the one status that GitLab keeps of it. */
export interface GitlabDeployment {
  readonly deployment: CodehostDeployment
  readonly status: CodehostStatus
}

/** Parses a deployment. It is its own status: GitLab has no list of those. */
export const gitlabDeployment = z
  .object({
    id: externalId,
    ref: z.string(),
    sha: z.string(),
    status: z.string(),
    created_at: moment,
    updated_at: moment,
    user: person,
    environment,
    deployable,
  })
  .transform((row): GitlabDeployment => {
    const { deployable: job, environment: of, user } = row
    return {
      deployment: {
        externalId: row.id,
        sha: row.sha,
        ref: job?.tag === true ? `refs/tags/${row.ref}` : row.ref,
        task: 'deploy',
        environment: of.name,
        description: null,
        creator: toCreator(user),
        payloadText: '',
        // The API shows no more of it here. A review app has the name of its branch behind a slash.
        isTransient: of.name.includes('/'),
        createdAt: row.created_at,
        headBranch: null,
        headCommitMessage: job?.commit?.message ?? null,
        workflowId: null,
        // Made through the API, it has no job.
        run: job?.pipeline ? { id: job.pipeline.id, job: job.name } : null,
      },
      status: {
        ...toStatus(row, job?.finished_at),
        environmentUrl: of.external_url,
        logUrl: job?.web_url ?? null,
      },
    }
  })

function toCreator(user: z.output<typeof person>): CodehostDeployment['creator'] {
  return user ? { name: user.name ?? user.username, login: user.username } : null
}

function toStatus(
  row: { readonly status: string; readonly created_at: Date; readonly updated_at: Date },
  jobEndedAt: Date | null | undefined,
) {
  const stage = stages.get(row.status) ?? unknownStage
  // A deployment that has ended changes its own time for other reasons, and its job ends once.
  const at = jobEndedAt ?? row.updated_at
  return {
    externalId: stage.rank === endRank ? orderByRank(endRank, at) : orderByRank(stage.rank),
    state: stage.state,
    environment: null,
    description: stage.text,
    at: stage.rank === 1 ? row.created_at : row.updated_at,
  }
}

export const gitlabEnvironment = z.object({ name: z.string(), state: textOrNull })
