import { z } from 'zod/v4'
import { valueWriter, org, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { id, page, pageQuery } from '../shapes.ts'
import { notRestored, restoredToo } from './matrix.ts'
import { protectionProblems, writeFields } from './protection.ts'
import { configVersion, valueChange } from './shapes.ts'

export const configVersionEndpoints = declareEndpoints({
  tag: 'Versions',
  topics: ['schema', 'environment', 'configuration'],
})({
  listConfigVersions: {
    method: 'GET',
    path: `${org}/config-versions`,
    summary: 'The versions, newest first.',
    description:
      'With `key`, only the versions that changed that key, with its values before and after unless it is a secret. Without it, the first three changes of each version have their values, unless these are longer than 2,000 characters. Without `environmentId`, the versions of every environment.',
    access: viewerOrKey,
    query: z.strictObject({
      schemaId: id('sch'),
      environmentId: id('env').optional(),
      key: z.string().max(128).optional(),
      ...pageQuery,
    }),
    response: {
      status: 200,
      body: page(configVersion.extend({ changes: z.array(valueChange) })),
    },
    problems: ['invalid_cursor', 'key_scope_forbidden'],
  },
  getConfigVersion: {
    method: 'GET',
    path: `${org}/config-versions/{version_id}`,
    summary:
      'The changes of a version, or its difference from another (`?against=ver_…`; default: the previous version).',
    access: viewerOrKey,
    agents: 'read',
    query: z.strictObject({ against: id('ver').optional() }),
    response: {
      status: 200,
      body: configVersion.extend({ against: id('ver').nullable(), changes: z.array(valueChange) }),
    },
    problems: ['key_scope_forbidden', 'conflict'],
  },
  restoreConfigVersion: {
    method: 'POST',
    path: `${org}/config-versions/{version_id}/restore`,
    summary: 'Restore a version: stores its content as a new version, even if nothing differs.',
    access: valueWriter,
    description:
      'A flag that a kill switch has turned off now, and not in the version, is left out: `leftOut` names it, and `include` restores it too. If a value was a secret then and would be public now, the server answers 409 `breaking_change`, unless `force` is true. This also applies to a dry run.',
    body: z.strictObject({
      include: restoredToo.optional(),
      ...writeFields,
      dryRun: z.boolean().optional(),
      force: z.boolean().optional(),
    }),
    response: {
      status: 201,
      body: configVersion.extend({
        changes: z.array(valueChange),
        leftOut: z.array(notRestored),
      }),
    },
    topics: ['configuration'],
    problems: [
      'unknown_segment',
      'too_many_rules',
      'schema_violation',
      'revision_mismatch',
      'breaking_change',
      'key_scope_forbidden',
      ...protectionProblems,
      'step_up_required',
    ],
  },
})
