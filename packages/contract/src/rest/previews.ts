import { z } from 'zod/v4'
import { limits } from '../limits.ts'
import { admin, adminOrKey, open, org, viewerOrKey } from './access.ts'
import { declareEndpoints } from './endpoint.ts'
import { id, page, pageQuery, repositoryName, time } from './shapes.ts'
import { environment } from './configs/shapes.ts'

/**
 * Lists why a preview ended. `expired`: nothing happened to it for the days of its rule. `rule`: its rule was deleted or no longer
 * fits it.
 */
export const previewEnds = [
  'merged',
  'closed',
  'fork',
  'inactive',
  'host_environment_deleted',
  'expired',
  'rule',
  'deleted',
] as const
export type PreviewEnd = (typeof previewEnds)[number]

/** Says which secrets previews inherit: none, all, or those with these keys. */
const inheritedSecrets = z.union([
  z.enum(['none', 'all']),
  z.strictObject({ names: z.array(z.string().min(1).max(200)).min(1).max(500) }),
])

const pattern = z
  .string()
  .max(100)
  .regex(
    /^[^*?]{1,60}\*[^*?]{0,39}$/,
    'Use a name with one "*" for the number of the pull request, such as pr-*.',
  )

const ruleFields = {
  /** Fits host environments. Its `*` is the number of the pull request. Example: `pr-*`. */
  pattern,
  /** Lists repositories by name. Empty: all. */
  repositories: z.array(repositoryName).max(100),
  /** Holds the environment that previews inherit from. */
  parentId: id('env'),
  secrets: inheritedSecrets,
  /** Counts the days after which a preview ends to which nothing happened. */
  expiresDays: z.number().int().min(1).max(90),
  /** Counts the previews that live at the same time. */
  max: z.number().int().min(1).max(limits.previewsPerOrganization),
} as const

/** Describes which environments of the code host become previews, and what these inherit. */
export const previewRule = z
  .object({
    id: id('prv'),
    ...ruleFields,
    pattern: z.string(),
    repositories: z.array(z.string()),
    revision: z.number().int(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'PreviewRule' })
export type PreviewRule = z.output<typeof previewRule>

const ruleBody = z.strictObject({
  pattern,
  repositories: ruleFields.repositories.default([]),
  parentId: ruleFields.parentId,
  secrets: inheritedSecrets.default('none'),
  expiresDays: ruleFields.expiresDays.default(14),
  max: ruleFields.max.default(50),
})

/** Describes an environment that lives as long as a pull request. */
export const previewEnvironment = z
  .object({
    environment,
    ruleId: id('prv').nullable(),
    /** `archived`: nothing is served of it. It comes back if its pull request is opened again before it is deleted. */
    state: z.enum(['live', 'archived']),
    ended: z
      .object({ reason: z.enum(previewEnds), detail: z.string(), at: time, deletedAt: time })
      .nullable(),
    browserKeyId: id('key').nullable(),
    serverKeyId: id('key').nullable(),
  })
  .meta({ id: 'PreviewEnvironment' })
export type PreviewEnvironment = z.output<typeof previewEnvironment>

/** Holds what applications read the preview with. Shown once. */
const previewKeys = z.object({ browser: z.string(), server: z.string() })

const rules = `${org}/preview-rules` as const
const rule = `${rules}/{rule_id}` as const
const previews = `${org}/preview-environments` as const

export const previewEndpoints = declareEndpoints({
  tag: 'Previews',
  topics: ['environment', 'configuration', 'api_key'],
})({
  listPreviewRules: {
    method: 'GET',
    path: rules,
    summary: 'Which environments of the code host become previews.',
    access: viewerOrKey,
    agents: 'read',
    query: z.strictObject({}),
    response: { status: 200, body: z.object({ items: z.array(previewRule) }) },
    topics: ['environment'],
  },
  createPreviewRule: {
    method: 'POST',
    path: rules,
    summary: 'Let pull requests have environments of their own.',
    access: admin,
    opens: 'door',
    body: ruleBody,
    response: { status: 201, body: previewRule },
    problems: ['already_exists', 'quota_exceeded', 'conflict'],
  },
  updatePreviewRule: {
    method: 'PUT',
    path: rule,
    summary: 'Change a rule of previews. Live previews follow the new one immediately.',
    access: admin,
    opens: 'door',
    body: ruleBody.extend({ revision: z.number().int() }),
    response: { status: 200, body: previewRule },
    problems: ['already_exists', 'conflict', 'revision_mismatch', 'value_too_large'],
  },
  deletePreviewRule: {
    method: 'DELETE',
    path: rule,
    summary: 'Delete a rule of previews, and end the previews that it made.',
    access: admin,
    response: { status: 204 },
  },
  createPreviewEnvironment: {
    method: 'POST',
    path: previews,
    summary:
      'Make the preview of a pull request, before it is deployed. Asking again gives the same one.',
    description:
      'Takes a server key with access to every environment, or the token that a code host makes for a pipeline. With such a token, the repository comes from the token, and the number too in a run of a pull request. The keys are in the answer that makes them, and in one to `renewKeys`.',
    access: open,
    body: z.strictObject({
      /** Names the repository. Left out: that of the pipeline’s token. */
      repository: repositoryName.optional(),
      /** Holds the number of the pull request. Left out: that of the pipeline’s token. */
      pullRequest: z.number().int().min(1).max(2_147_483_647).optional(),
      /** Ends the keys of before, and makes new ones. */
      renewKeys: z.boolean().default(false),
    }),
    response: {
      status: 200,
      body: previewEnvironment.extend({
        /** `null`: they were shown before. */
        keys: previewKeys.nullable(),
      }),
    },
    problems: [
      'invalid_credentials',
      'missing_credentials',
      'expired_credentials',
      'network_forbidden',
      'key_read_only',
      'key_scope_forbidden',
      'conflict',
      'quota_exceeded',
      'provider_error',
    ],
  },
  listPreviewEnvironments: {
    method: 'GET',
    path: previews,
    summary:
      'The previews of pull requests, newest first, with those that ended in the last seven days.',
    access: viewerOrKey,
    agents: 'read',
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(previewEnvironment) },
    topics: ['environment'],
    problems: ['invalid_cursor'],
  },
  deletePreviewEnvironment: {
    method: 'DELETE',
    path: `${previews}/{environment_id}`,
    summary:
      'End a preview and delete its values and keys. The next deployment of its pull request makes another.',
    access: adminOrKey,
    response: { status: 204 },
    problems: ['environment_in_use'],
  },
})
