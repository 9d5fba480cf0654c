import { z } from 'zod/v4'
import { limits } from '../../limits.ts'
import { promotionExceptions } from '../../changes/promotion-exceptions.ts'
import { valueWriter, org, viewerOrAnyKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { id, queryFlag } from '../shapes.ts'
import { flagRules } from './flag-rules.ts'
import {
  allowPlainField,
  confirmationFields,
  protectionProblems,
  writeFields,
} from './protection.ts'
import { changeRequirement, configVersion, storedValues, valueChange } from './shapes.ts'

const target = { schemaId: id('sch'), environmentId: id('env') }

const keyNames = z
  .union([z.string(), z.array(z.string())], 'Name at least one key.')
  .transform((key) => (typeof key === 'string' ? [key] : key))

export const configValueEndpoints = declareEndpoints({ tag: 'Values', topics: ['configuration'] })({
  setConfigValues: {
    method: 'PUT',
    path: `${org}/config-values`,
    summary: 'Set the given values and leave the others; all of them or none.',
    description:
      'A flag may have rules, which belong to the value in this environment: without a value in the request, they apply to the stored one. Null or an empty list removes the rules. A flag without an entry keeps its rules, unless `?replace=true`; one that is turned off keeps them in any case. An entry of `values` may also be the response of GET for its key: it changes something where its `value` or its `rules` differ from what is stored, or where it says `source: "set"` and the environment sets nothing.',
    access: valueWriter,
    query: z.strictObject({ replace: queryFlag }),
    takesResponse: true,
    body: z.strictObject({
      ...target,
      values: z.record(z.string(), z.unknown()),
      rules: z.record(z.string(), flagRules.nullable()).optional(),
      ...allowPlainField,
      ...writeFields,
      dryRun: z.boolean().optional(),
    }),
    bodyLimitBytes: limits.schemaBodyBytes,
    response: { status: 200, body: storedValues },
    problems: [
      'unknown_key',
      'unknown_segment',
      'too_many_rules',
      'type_mismatch',
      'schema_violation',
      'tier_mismatch',
      'looks_like_secret',
      'value_too_large',
      'quota_exceeded',
      'revision_mismatch',
      'key_scope_forbidden',
      ...protectionProblems,
    ],
  },
  getConfigValues: {
    method: 'GET',
    path: `${org}/config-values`,
    summary: 'The value of each key, and its source.',
    description:
      'A server key sees the values of secrets. A person sees them with `?reveal=true`, which the audit log records. A browser key sees neither their values nor their names. Repeat `key` to narrow the response, and the audit record, to those keys.',
    access: viewerOrAnyKey,
    query: z.strictObject({ ...target, reveal: queryFlag, key: keyNames.optional() }),
    response: { status: 200, body: storedValues },
    topics: ['schema', 'environment', 'configuration'],
    problems: ['step_up_required', 'key_scope_forbidden'],
  },
  deleteConfigValues: {
    method: 'DELETE',
    path: `${org}/config-values`,
    summary: 'Delete the values of the named keys (`key` may be repeated).',
    access: valueWriter,
    query: z.strictObject({
      ...target,
      key: keyNames,
      ...confirmationFields,
    }),
    response: { status: 200, body: storedValues },
    problems: ['unknown_key', 'revision_mismatch', 'key_scope_forbidden', ...protectionProblems],
  },
  promoteConfigValues: {
    method: 'POST',
    path: `${org}/config-values/promote`,
    summary: 'Copy values from one environment to another.',
    description:
      'With `keys`, exactly these are copied. Without, every key that the source sets or inherits, except for secrets, keys that are expected to differ, and flags that a kill switch has turned off in one of the two environments. `include`, which `keys` excludes, names the kinds to copy anyway, and `leftOut` the keys that were not copied although they differ.',
    access: valueWriter,
    body: z.strictObject({
      schemaId: id('sch'),
      fromEnvironmentId: id('env'),
      toEnvironmentId: id('env'),
      keys: z.array(z.string()).min(1).max(limits.keysPerSchema).optional(),
      /** Names what is copied too. Not together with `keys`, which are copied in any case. */
      include: z.array(z.enum(promotionExceptions)).max(promotionExceptions.length).optional(),
      /** Holds the `sourceVersion` that the values to copy were read with. Absent: any version. */
      expectedSourceVersion: z.number().int().min(0).optional(),
      ...allowPlainField,
      ...writeFields,
      dryRun: z.boolean().optional(),
    }),
    response: {
      status: 200,
      body: z.object({
        changes: z.array(valueChange),
        /** Lists the keys that differ and were left out, each with the first reason that `include` lacks. */
        leftOut: z.array(z.object({ key: z.string(), reason: z.enum(promotionExceptions) })),
        /** Lists what the changed environments require, in a dry run, whether or not the request has it. */
        requires: z.array(changeRequirement),
        version: configVersion.nullable(),
        /** Counts the writes to the environment. `If-Match` compares with it: of a dry run, it ties the promotion to what was shown. */
        currentVersion: z.number().int(),
        /** Counts the writes to the source and to the environments that it inherits from. Send it back as `expectedSourceVersion`. */
        sourceVersion: z.number().int(),
      }),
    },
    problems: [
      'unknown_key',
      'looks_like_secret',
      'too_many_rules',
      'revision_mismatch',
      'key_scope_forbidden',
      ...protectionProblems,
      'step_up_required',
    ],
  },
})
