import { z } from 'zod/v4'
import { limits } from '../limits.ts'
import { open, org, viewerOrKey } from './access.ts'
import { schemaDefinition } from './configs/shapes.ts'
import { declareEndpoints } from './endpoint.ts'
import { commitSha, id, page, pageQuery, repositoryName, resourceName, time } from './shapes.ts'

/**
 * Lists the states of a check. `open`: its commit is the newest of a branch or pull request, or is deployed, so that it is compared
 * again whenever a value changes. `closed`: a newer commit came, or the pull request ended.
 */
export const checkStates = ['open', 'closed'] as const

/**
 * Lists what the values of an environment are for the definition of a commit, the worst first. `missing`: a required key has no value.
 * `invalid`: the definition refuses a value. `breaking`: what runs there still declares a key that the definition lacks or types
 * otherwise, which warns and does not fail.
 */
export const checkResults = ['missing', 'invalid', 'breaking', 'ready'] as const

/** Lists what a check says as a whole. `neutral`: ready everywhere, with a warning. */
export const checkConclusions = ['success', 'neutral', 'failure'] as const

const keyDetail = z.object({ key: z.string(), detail: z.string() })

const checkedEnvironment = z.object({
  environmentId: id('env'),
  environment: z.string(),
  production: z.boolean(),
  result: z.enum(checkResults),
  /** Lists required keys without a value. */
  missing: z.array(z.string()),
  /** Lists values that the definition refuses. Never the value of a secret. */
  invalid: z.array(keyDetail),
  /** Lists keys that the commit which runs there still declares. */
  breaking: z.array(keyDetail),
})

/** Describes the definitions of one commit, compared with the values of every environment. */
export const commitCheck = z
  .object({
    id: id('chk'),
    repository: z.string(),
    sha: z.string(),
    /** Holds the branch. `null`: it is of a tag, its branch is gone, or it is not known. */
    ref: z.string().nullable(),
    /** Holds the number of the pull request that it is the head of. `null`: none. */
    pullRequest: z.number().int().nullable(),
    pullRequestUrl: z.string().nullable(),
    /** Says that the commit is proposed from a fork: it is compared, and no status is written. */
    isFork: z.boolean(),
    state: z.enum(checkStates),
    conclusion: z.enum(checkConclusions),
    /** Lists each schema that the commit declares. */
    schemas: z.array(
      z.object({
        name: z.string(),
        /** Holds the schema of that name. `null`: nobody has pushed it yet. */
        schemaId: id('sch').nullable(),
        environments: z.array(checkedEnvironment),
      }),
    ),
    /** Says where the result stands at the code host. */
    report: z.object({
      /** Names how it is written there. `null`: it is not. */
      kind: z.enum(['check_run', 'commit_status']).nullable(),
      /** `none`: nothing is written there, which `detail` explains. `given_up`: the code host refused it. */
      state: z.enum(['waiting', 'written', 'given_up', 'none']),
      writtenAt: time.nullable(),
      detail: z.string().nullable(),
      /** Says in a sentence what a person does about it. */
      nextStep: z.string().nullable(),
      url: z.string().nullable(),
    }),
    uploadedAt: time,
    /** Holds when the values were compared last. */
    checkedAt: time,
  })
  .meta({ id: 'CommitCheck' })
export type CommitCheck = z.output<typeof commitCheck>

export const commitCheckEndpoints = declareEndpoints({
  tag: 'Commit checks',
  topics: ['commit_check'],
})({
  uploadCommitDefinition: {
    method: 'POST',
    path: `${org}/commit-checks`,
    summary:
      'Upload the definition of a commit, which is compared with the values of every environment.',
    description:
      'Takes a server key with access to every environment, or the token that a code host makes for a pipeline. With such a token, the repository and the commit come from the token; a repository or commit in the body that differs is refused. Nothing in the schema changes. The same definition again changes nothing.',
    access: open,
    body: z.strictObject({
      /** Names the repository. Left out: that of the pipeline’s token. */
      repository: repositoryName.optional(),
      /** Holds the whole hash of the commit. Left out: that of the pipeline’s token. */
      sha: commitSha.optional(),
      ref: z.string().min(1).max(255).optional(),
      schema: resourceName,
      definition: schemaDefinition,
      /** Names the file that declares it, so that a pull request shows the result beside its lines. */
      path: z.string().min(1).max(500).optional(),
      /** Maps keys to the lines that declare them, from 1. */
      lines: z.record(z.string(), z.number().int().min(1).max(1_000_000)).optional(),
    }),
    bodyLimitBytes: limits.schemaBodyBytes,
    response: { status: 200, body: commitCheck },
    problems: [
      'invalid_credentials',
      'missing_credentials',
      'expired_credentials',
      'network_forbidden',
      'key_read_only',
      'unknown_key',
      'type_mismatch',
      'schema_violation',
      'tier_mismatch',
      'quota_exceeded',
      'provider_error',
    ],
  },
  listCommitChecks: {
    method: 'GET',
    path: `${org}/commit-checks`,
    summary: 'The checks of commits, newest first.',
    access: viewerOrKey,
    agents: 'read',
    query: z.strictObject({
      repository: repositoryName.optional(),
      sha: commitSha.optional(),
      pullRequest: z.coerce.number().int().min(1).optional(),
      state: z.enum(checkStates).optional(),
      ...pageQuery,
    }),
    response: { status: 200, body: page(commitCheck) },
    topics: ['commit_check', 'environment', 'schema'],
    problems: ['invalid_cursor'],
  },
  getCommitCheck: {
    method: 'GET',
    path: `${org}/commit-checks/{check_id}`,
    summary: 'One check of a commit.',
    access: viewerOrKey,
    agents: 'read',
    response: { status: 200, body: commitCheck },
    topics: ['commit_check', 'environment', 'schema'],
  },
})
