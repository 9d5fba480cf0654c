import { z } from 'zod/v4'
import { limits } from '../../limits.ts'
import { configRemover, schemaWriter, org, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { descriptionText, id, page, pageQuery, queryFlag, resourceName } from '../shapes.ts'
import { allowPlainField, confirmationFields, protectionProblems } from './protection.ts'
import { changeRequirement, configReport, configSchema, schemaDefinition } from './shapes.ts'

export const configSchemaEndpoints = declareEndpoints({ tag: 'Schemas', topics: ['schema'] })({
  createConfigSchema: {
    method: 'POST',
    path: `${org}/config-schemas`,
    summary:
      'Create a schema. A key that names no tier is a flag when boolean and a secret otherwise.',
    access: schemaWriter,
    body: z.strictObject({
      name: resourceName,
      description: descriptionText.optional(),
      schema: schemaDefinition,
      ...allowPlainField,
    }),
    bodyLimitBytes: limits.schemaBodyBytes,
    response: { status: 201, body: configSchema },
    problems: ['already_exists', 'quota_exceeded', 'looks_like_secret'],
  },
  listConfigSchemas: {
    method: 'GET',
    path: `${org}/config-schemas`,
    summary: 'The schemas of the organization.',
    access: viewerOrKey,
    agents: 'read',
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(configSchema) },
    topics: ['schema', 'environment'],
    problems: ['invalid_cursor'],
  },
  getConfigSchema: {
    method: 'GET',
    path: `${org}/config-schemas/{schema_id}`,
    summary: 'One schema, by id or name.',
    access: viewerOrKey,
    response: { status: 200, body: configSchema },
    topics: ['schema', 'environment', 'configuration'],
  },
  replaceConfigSchema: {
    method: 'PUT',
    path: `${org}/config-schemas/{schema_id}`,
    summary: 'Replace the definition, and report missing and invalid values of each environment.',
    description:
      'If the change would break stored values, the server answers 409 `breaking_change` with the same report, unless `force` is true. This also applies to a dry run. A secret with stored values becomes public only if `exposeKeys` names it; `force` doesn’t replace that. A key that was removed and is declared again may have stored values, also in production; the change is refused with `returning` of the report until the request’s `returning` says what becomes of them. You can send back the response of GET: `hasDefault: true` without `default` keeps the stored default, and only `hasDefault: false` deletes the default of a secret. With `environmentId` the report is about that environment; the check is always about all. `values` sets and removes values in the same step, checked by the new definition, so that a new key never exists without them.',
    access: schemaWriter,
    takesResponse: true,
    body: z.strictObject({
      description: descriptionText.optional(),
      schema: schemaDefinition,
      environmentId: id('env').optional(),
      dryRun: z.boolean().optional(),
      force: z.boolean().optional(),
      exposeKeys: z.array(z.string()).max(limits.keysPerSchema).optional(),
      /**
       * Says for each key what becomes of values that are stored from an earlier time, and that nobody reads now: `restore`
       * brings them back, `forget` removes them. The history has them still.
       */
      returning: z.record(z.string(), z.enum(['restore', 'forget'])).optional(),
      /** Changes values in some environments together with the definition: both are stored, or nothing. */
      values: z
        .array(
          z.strictObject({
            environmentId: id('env'),
            set: z.record(z.string(), z.unknown()),
            /** Lists keys whose own value is removed. */
            unset: z.array(z.string()).max(limits.keysPerSchema).optional(),
          }),
        )
        .max(limits.environmentsPerOrganization)
        .optional(),
      ...allowPlainField,
      ...confirmationFields,
    }),
    bodyLimitBytes: limits.schemaBodyBytes,
    response: {
      status: 200,
      body: configSchema.extend({
        report: configReport,

        /** Lists what the changed environments require, in a dry run, whether or not the request has it. */
        requires: z.array(changeRequirement),
      }),
    },
    topics: ['schema', 'configuration'],
    problems: [
      'breaking_change',
      'revision_mismatch',
      'unknown_key',
      'type_mismatch',
      'schema_violation',
      'tier_mismatch',
      'looks_like_secret',
      'value_too_large',
      'quota_exceeded',
      ...protectionProblems,
      'step_up_required',
    ],
  },
  updateConfigSchema: {
    method: 'PATCH',
    path: `${org}/config-schemas/{schema_id}`,
    summary: 'Rename or describe a schema.',
    access: schemaWriter,
    body: z.strictObject({
      name: resourceName.optional(),
      description: descriptionText.optional(),
      ...confirmationFields,
    }),
    response: { status: 200, body: configSchema },
    problems: ['already_exists', 'revision_mismatch', ...protectionProblems],
  },
  deleteConfigSchema: {
    method: 'DELETE',
    path: `${org}/config-schemas/{schema_id}`,
    summary: 'Delete a schema. One with values needs `?force=true`.',
    access: configRemover,
    query: z.strictObject({ force: queryFlag, ...confirmationFields }),
    response: { status: 204 },
    topics: ['schema', 'configuration'],
    problems: ['schema_in_use', 'revision_mismatch', ...protectionProblems],
  },
  getConfigReport: {
    method: 'GET',
    path: `${org}/config-schemas/{schema_id}/report`,
    summary: 'Missing, invalid and orphaned values of each environment.',
    access: viewerOrKey,
    response: { status: 200, body: z.object({ report: configReport }) },
    topics: ['schema', 'environment', 'configuration'],
  },
})
