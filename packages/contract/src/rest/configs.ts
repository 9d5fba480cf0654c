import { z } from 'zod'
import { tiers, valueSources, valueTypes } from '../config.ts'
import { limits } from '../limits.ts'
import { endpoint } from './endpoint.ts'
import {
  author,
  comment,
  descriptionText,
  id,
  page,
  pageQuery,
  queryFlag,
  resourceName,
  time,
} from './shapes.ts'

export const environment = z
  .object({
    id: id('env'),
    name: z.string(),
    description: z.string(),
    /** Clients ask for confirmation before they change it. */
    production: z.boolean(),
    /** Values not set here are read from this environment. */
    parentId: id('env').nullable(),
    /** Counts the changes; `If-Match` compares with it. */
    revision: z.number().int(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Environment' })

export const configValue = z.union([z.string(), z.number(), z.boolean()])

/** The fields of a key; names, types and constraints are checked key by key, so that each fault gets its own pointer. */
export const keyDefinition = z
  .strictObject({
    type: z.enum(valueTypes),
    tier: z.enum(tiers).optional(),
    description: descriptionText.optional(),
    default: configValue.optional(),
    required: z.boolean().optional(),
    constraints: z.record(z.string(), z.unknown()).optional(),
    partial: z.boolean().optional(),
  })
  .meta({ id: 'KeyDefinition' })

const schemaDefinition = z.record(z.string(), keyDefinition)

export const shownKeyDefinition = keyDefinition
  .extend({
    tier: z.enum(tiers),
    required: z.boolean(),
    /** Whether there is a default. The default of a secret is shown only to those who may read secrets. */
    hasDefault: z.boolean(),
  })
  .meta({ id: 'ShownKeyDefinition' })

export const configSchema = z
  .object({
    id: id('sch'),
    name: z.string(),
    description: z.string(),
    /** Counts the changes of the definition; `If-Match` compares with it. */
    revision: z.number().int(),
    schema: z.record(z.string(), shownKeyDefinition),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'ConfigSchema' })

const report = z
  .array(
    z.object({
      environment: z.string(),
      environmentId: id('env'),
      missing: z.array(z.string()),
      invalid: z.array(z.object({ key: z.string(), detail: z.string() })),
      orphaned: z.array(z.string()),
    }),
  )
  .meta({ id: 'ConfigReport' })

export const storedValue = z
  .object({
    value: configValue.optional(),
    tier: z.enum(tiers),
    type: z.enum(valueTypes),
    source: z.enum(valueSources),
    /** The environment the value is inherited from. A browser key learns it only of environments it may read. */
    inheritedFrom: id('env').optional(),
    updatedAt: time.nullable(),
    /** Null for a browser key: it learns of nobody. */
    updatedBy: author.nullable(),
  })
  .meta({ id: 'StoredValue' })

export const storedValues = z
  .object({
    schemaId: id('sch'),
    environmentId: id('env'),
    /** Counts the writes; `If-Match` compares with it. A browser key sees only the changes it can see. */
    version: z.number().int(),
    values: z.record(z.string(), storedValue),
  })
  .meta({ id: 'StoredValues' })

/**
 * A change of one key: what clients had before and have after it, whether set, inherited or default. A secret's values
 * are never shown. An open key without any was set, or no longer is, to what clients had anyway.
 */
export const valueChange = z
  .object({
    key: z.string(),
    tier: z.enum(tiers),
    change: z.enum(['added', 'changed', 'removed']),
    before: configValue.optional(),
    after: configValue.optional(),
  })
  .meta({ id: 'ValueChange' })

export const configVersion = z
  .object({
    id: id('ver'),
    schemaId: id('sch'),
    environmentId: id('env'),
    version: z.number().int(),
    /** What made it: a write, a restored version, a promotion, a change of the schema or of a parent environment. */
    kind: z.enum(['write', 'restore', 'promote', 'schema', 'inherited', 'renamed']),
    author,
    comment: z.string().nullable(),
    changes: z.array(
      z.object({
        key: z.string(),
        tier: z.enum(tiers),
        change: z.enum(['added', 'changed', 'removed']),
      }),
    ),
    createdAt: time,
  })
  .meta({ id: 'ConfigVersion' })

const viewer = { kind: 'organization', role: 'viewer', keys: 'm2m' } as const
const developer = { kind: 'organization', role: 'developer', keys: 'm2m' } as const
const target = { schemaId: id('sch'), environmentId: id('env') }
const org = '/organizations/{org_id}' as const

export const configEndpoints = {
  createEnvironment: endpoint({
    operationId: 'createEnvironment',
    method: 'POST',
    path: `${org}/environments`,
    tag: 'Environments',
    summary: 'Create an environment.',
    access: developer,
    body: z.strictObject({
      name: resourceName,
      description: descriptionText.optional(),
      production: z.boolean().optional(),
      parentId: id('env').nullish(),
    }),
    response: { status: 201, body: environment },
    problems: ['already_exists', 'quota_exceeded', 'conflict'],
  }),
  listEnvironments: endpoint({
    operationId: 'listEnvironments',
    method: 'GET',
    path: `${org}/environments`,
    tag: 'Environments',
    summary: 'The environments of the organization.',
    access: viewer,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(environment) },
    problems: ['invalid_cursor'],
  }),
  getEnvironment: endpoint({
    operationId: 'getEnvironment',
    method: 'GET',
    path: `${org}/environments/{environment_id}`,
    tag: 'Environments',
    summary: 'One environment, by id or name.',
    access: viewer,
    response: { status: 200, body: environment },
    problems: [],
  }),
  updateEnvironment: endpoint({
    operationId: 'updateEnvironment',
    method: 'PATCH',
    path: `${org}/environments/{environment_id}`,
    tag: 'Environments',
    summary: 'Change an environment. A changed parent changes the inherited values at once.',
    access: developer,
    body: z.strictObject({
      name: resourceName.optional(),
      description: descriptionText.optional(),
      production: z.boolean().optional(),
      parentId: id('env').nullish(),
    }),
    response: { status: 200, body: environment },
    problems: ['already_exists', 'conflict', 'revision_mismatch'],
  }),
  deleteEnvironment: endpoint({
    operationId: 'deleteEnvironment',
    method: 'DELETE',
    path: `${org}/environments/{environment_id}`,
    tag: 'Environments',
    summary: 'Delete an environment. One that holds values needs `?force=true`.',
    access: { ...developer, role: 'admin' },
    query: z.strictObject({ force: queryFlag }),
    response: { status: 204 },
    problems: ['environment_in_use', 'revision_mismatch'],
  }),
  createConfigSchema: endpoint({
    operationId: 'createConfigSchema',
    method: 'POST',
    path: `${org}/config-schemas`,
    tag: 'Schemas',
    summary:
      'Create a schema. A key that names no tier is a flag when boolean and a secret otherwise.',
    access: developer,
    body: z.strictObject({
      name: resourceName,
      description: descriptionText.optional(),
      schema: schemaDefinition,
    }),
    bodyLimitBytes: limits.schemaBodyBytes,
    response: { status: 201, body: configSchema },
    problems: ['already_exists', 'quota_exceeded'],
  }),
  listConfigSchemas: endpoint({
    operationId: 'listConfigSchemas',
    method: 'GET',
    path: `${org}/config-schemas`,
    tag: 'Schemas',
    summary: 'The schemas of the organization.',
    access: viewer,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(configSchema) },
    problems: ['invalid_cursor'],
  }),
  getConfigSchema: endpoint({
    operationId: 'getConfigSchema',
    method: 'GET',
    path: `${org}/config-schemas/{schema_id}`,
    tag: 'Schemas',
    summary: 'One schema, by id or name.',
    access: viewer,
    response: { status: 200, body: configSchema },
    problems: [],
  }),
  replaceConfigSchema: endpoint({
    operationId: 'replaceConfigSchema',
    method: 'PUT',
    path: `${org}/config-schemas/{schema_id}`,
    tag: 'Schemas',
    summary: 'Replace the definition, and report what the stored values of each environment lack.',
    description:
      'A change that breaks stored values answers 409 `breaking_change` with the same report, also of a dry run, unless `force` is true. With `environmentId` the report is about that environment; the check is always about all.',
    access: developer,
    body: z.strictObject({
      description: descriptionText.optional(),
      schema: schemaDefinition,
      environmentId: id('env').optional(),
      dryRun: z.boolean().optional(),
      force: z.boolean().optional(),
    }),
    bodyLimitBytes: limits.schemaBodyBytes,
    response: { status: 200, body: configSchema.extend({ report }) },
    problems: ['breaking_change', 'revision_mismatch'],
  }),
  updateConfigSchema: endpoint({
    operationId: 'updateConfigSchema',
    method: 'PATCH',
    path: `${org}/config-schemas/{schema_id}`,
    tag: 'Schemas',
    summary: 'Rename or describe a schema.',
    access: developer,
    body: z.strictObject({
      name: resourceName.optional(),
      description: descriptionText.optional(),
    }),
    response: { status: 200, body: configSchema },
    problems: ['already_exists', 'revision_mismatch'],
  }),
  deleteConfigSchema: endpoint({
    operationId: 'deleteConfigSchema',
    method: 'DELETE',
    path: `${org}/config-schemas/{schema_id}`,
    tag: 'Schemas',
    summary: 'Delete a schema. One with values needs `?force=true`.',
    access: { ...developer, role: 'admin' },
    query: z.strictObject({ force: queryFlag }),
    response: { status: 204 },
    problems: ['schema_in_use', 'revision_mismatch'],
  }),
  getConfigReport: endpoint({
    operationId: 'getConfigReport',
    method: 'GET',
    path: `${org}/config-schemas/{schema_id}/report`,
    tag: 'Schemas',
    summary: 'What is missing, invalid or orphaned in each environment.',
    access: viewer,
    response: { status: 200, body: z.object({ report }) },
    problems: [],
  }),
  setConfigValues: endpoint({
    operationId: 'setConfigValues',
    method: 'PUT',
    path: `${org}/config-values`,
    tag: 'Values',
    summary: 'Set the given values and leave the others; all of them or none.',
    access: developer,
    query: z.strictObject({ replace: queryFlag }),
    body: z.strictObject({
      ...target,
      values: z.record(z.string(), z.unknown()),
      comment: comment.optional(),
      dryRun: z.boolean().optional(),
    }),
    bodyLimitBytes: limits.schemaBodyBytes,
    response: { status: 200, body: storedValues },
    problems: [
      'unknown_key',
      'type_mismatch',
      'schema_violation',
      'value_too_large',
      'revision_mismatch',
      'key_scope_forbidden',
    ],
  }),
  getConfigValues: endpoint({
    operationId: 'getConfigValues',
    method: 'GET',
    path: `${org}/config-values`,
    tag: 'Values',
    summary: 'The value of each key and where it comes from.',
    description:
      'A server key sees the values of secrets; a person sees them with `?reveal=true`, which is written to the audit log; a browser key sees neither their values nor their names.',
    access: { ...viewer, keys: 'm2m+b2m' },
    query: z.strictObject({ ...target, reveal: queryFlag }),
    response: { status: 200, body: storedValues },
    problems: ['step_up_required', 'key_scope_forbidden'],
  }),
  deleteConfigValues: endpoint({
    operationId: 'deleteConfigValues',
    method: 'DELETE',
    path: `${org}/config-values`,
    tag: 'Values',
    summary: 'Delete the values of the named keys (`key` may be repeated).',
    access: developer,
    query: z.strictObject({
      ...target,
      key: z
        .union([z.string(), z.array(z.string())], 'Name at least one key.')
        .transform((key) => (typeof key === 'string' ? [key] : key)),
      comment: comment.optional(),
    }),
    response: { status: 200, body: storedValues },
    problems: ['unknown_key', 'revision_mismatch', 'key_scope_forbidden'],
  }),
  promoteConfigValues: endpoint({
    operationId: 'promoteConfigValues',
    method: 'POST',
    path: `${org}/config-values/promote`,
    tag: 'Values',
    summary: 'Copy values from one environment to another.',
    access: developer,
    body: z.strictObject({
      schemaId: id('sch'),
      fromEnvironmentId: id('env'),
      toEnvironmentId: id('env'),
      keys: z.array(z.string()).min(1).max(limits.keysPerSchema).optional(),
      comment: comment.optional(),
      dryRun: z.boolean().optional(),
    }),
    response: {
      status: 200,
      body: z.object({ changes: z.array(valueChange), version: configVersion.nullable() }),
    },
    problems: ['unknown_key', 'revision_mismatch', 'key_scope_forbidden'],
  }),
  listConfigVersions: endpoint({
    operationId: 'listConfigVersions',
    method: 'GET',
    path: `${org}/config-versions`,
    tag: 'Versions',
    summary: 'Every write, newest first.',
    access: viewer,
    query: z.strictObject({ ...target, ...pageQuery }),
    response: { status: 200, body: page(configVersion) },
    problems: ['invalid_cursor', 'key_scope_forbidden'],
  }),
  getConfigVersion: endpoint({
    operationId: 'getConfigVersion',
    method: 'GET',
    path: `${org}/config-versions/{version_id}`,
    tag: 'Versions',
    summary:
      'What a version changed, or its difference to another (`?against=ver_…`; left out: the one before).',
    access: viewer,
    query: z.strictObject({ against: id('ver').optional() }),
    response: {
      status: 200,
      body: configVersion.extend({ against: id('ver').nullable(), changes: z.array(valueChange) }),
    },
    problems: ['key_scope_forbidden', 'conflict'],
  }),
  restoreConfigVersion: endpoint({
    operationId: 'restoreConfigVersion',
    method: 'POST',
    path: `${org}/config-versions/{version_id}/restore`,
    tag: 'Versions',
    summary: 'Make the content of a version current, as a new version, also when nothing differs.',
    access: developer,
    description:
      'What was a secret then and no longer is would be published: that answers 409 `breaking_change`, also of a dry run, unless `force` is true.',
    body: z.strictObject({
      comment: comment.optional(),
      dryRun: z.boolean().optional(),
      force: z.boolean().optional(),
    }),
    response: { status: 201, body: configVersion.extend({ changes: z.array(valueChange) }) },
    problems: ['schema_violation', 'revision_mismatch', 'breaking_change', 'key_scope_forbidden'],
  }),
} as const
