import { z } from 'zod/v4'
import { cellSources } from '../../config-drift.ts'
import { keyOrigins, tiers } from '../../config.ts'
import { valueTypes } from '../../values/value-types.ts'
import { limits } from '../../limits.ts'
import { type ProblemCode, problems } from '../../problems.ts'
import { restoreExceptions } from '../../changes/promotion-exceptions.ts'
import { valueWriter, org, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { author, configValue, id, time } from '../shapes.ts'
import { flagRules } from './flag-rules.ts'
import { allowPlainField, protectionProblems, writeFields } from './protection.ts'
import {
  changeRequirement,
  configVersion,
  environmentProtection,
  keyNotes,
  valueChange,
} from './shapes.ts'

/** Describes a key in one environment. */
export const matrixCell = z
  .object({
    source: z.enum(cellSources),
    /** Holds the id of the environment that sets the value, if it is another one. */
    inheritedFrom: id('env').optional(),
    /** Holds the value that clients receive, also when it is inherited or the default. Absent for a secret. */
    value: configValue.optional(),
    /** Holds the rules of a flag, which come before its value, from the environment that sets it. */
    rules: flagRules.optional(),
    /**
     * Represents the value of a secret: equal marks in the cells of one key are equal values. Marks are new for each
     * key and each response, so they reveal nothing else. Absent for viewers.
     */
    mark: z.number().int().optional(),
    /** Holds the time at which the value was set, in the environment that sets it. */
    updatedAt: time.optional(),
    /** Points to the author of the value: an index of `authors`. */
    updatedBy: z.number().int().optional(),
  })
  .meta({ id: 'MatrixCell' })

/** Describes a key of the schema in all environments of the response. */
export const matrixKey = z
  .object({
    key: z.string(),
    tier: z.enum(tiers),
    type: z.enum(valueTypes),
    description: z.string().optional(),
    required: z.boolean(),
    hasDefault: z.boolean(),
    /** Holds the default, never that of a secret. */
    default: configValue.optional(),
    constraints: z.record(z.string(), z.unknown()).optional(),
    /** Says that the code checks more than `constraints`. */
    partial: z.boolean().optional(),
    /** Says that rules may serve other values of a public key to some contexts. */
    targeted: z.boolean().optional(),
    /** Lists the variants of a flag. */
    variants: z.array(z.object({ name: z.string(), on: z.boolean() })).optional(),
    /** Says that nobody should begin to use the key. */
    deprecated: z.boolean().optional(),
    /** Names the place that declares the key. Absent: `code`. */
    declaredIn: z.enum(keyOrigins).optional(),
    ...keyNotes,
    /** Says that environments are meant to have different values. */
    expectedToDiffer: z.boolean().optional(),
    /**
     * Says whether the environments differ (`findDrift`), false for a key that is expected to. Null: they hold secrets that
     * the caller may not compare.
     */
    drift: z.boolean().nullable(),
    /** Lists the cells in the order of `environments`. */
    cells: z.array(matrixCell),
  })
  .meta({ id: 'MatrixKey' })

/** Describes the matrix: the keys of a schema in all environments. */
export const configMatrix = z
  .object({
    schema: z.object({ id: id('sch'), name: z.string(), revision: z.number().int() }),
    /** Lists the environments that the caller can read, oldest first. */
    environments: z.array(
      z.object({
        id: id('env'),
        name: z.string(),
        parentId: id('env').nullable(),
        production: z.boolean(),
        protection: environmentProtection,
        /** Counts the writes. Send it back as `expectedVersion`. */
        version: z.number().int(),
        /** Lists the keys that have a value here and are no longer in the schema. */
        orphaned: z.array(z.string()),
      }),
    ),
    authors: z.array(author),
    /** Lists the keys in the order of the schema. */
    keys: z.array(matrixKey),
  })
  .meta({ id: 'ConfigMatrix' })

/** Describes the changes of a change set in one environment. */
export const environmentChange = z.strictObject({
  environmentId: id('env'),
  /** Holds the version that the changes are based on. Absent: any version. */
  expectedVersion: z.number().int().min(0).optional(),
  set: z.record(z.string(), z.unknown()).optional(),
  /** Sets the rules as in `PUT …/config-values`. Null or an empty list removes them. */
  rules: z.record(z.string(), flagRules.nullable()).optional(),
  unset: z.array(z.string()).max(limits.keysPerSchema).optional(),
  /**
   * Turns flags off or on. Off: off for everyone, and value and rules are kept aside. On: what was kept aside is back.
   * It goes by what is stored at that moment, so it needs no `expectedVersion`.
   */
  turn: z.record(z.string(), z.enum(['off', 'on'])).optional(),
})

/**
 * Describes an environment in which somebody else has saved meanwhile: an entry of `conflicts` of the problem
 * `revision_mismatch`.
 */
export const configConflict = z
  .object({
    environmentId: id('env'),
    /** Names the environment. */
    environment: z.string(),
    expectedVersion: z.number().int(),
    version: z.number().int(),
    /** Lists the versions that were saved since, newest first. */
    saved: z.array(
      z.object({
        versionId: id('ver'),
        version: z.number().int(),
        author,
        comment: z.string().nullable(),
        createdAt: time,
        keys: z.array(z.string()),
      }),
    ),
    /** Lists the keys that both have changed. */
    keys: z.array(z.string()),
    /** Says that nobody else changed a key of the request, so that it can be repeated with the current version. */
    rebasable: z.boolean(),
  })
  .meta({ id: 'ConfigConflict' })

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table are the codes
const problemCode = z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]])

/** Describes a violation of one cell of a change set. */
export const cellProblem = z.object({
  environmentId: id('env'),
  key: z.string(),
  /** Points into the request. Example: `/changes/0/set/apiUrl`. */
  pointer: z.string(),
  code: problemCode,
  detail: z.string(),
})

/** Describes a version to restore. */
const restore = z.strictObject({
  versionId: id('ver'),
  /** Holds the current version of the environment. Absent: any version. */
  expectedVersion: z.number().int().min(0).optional(),
  /** Restores these keys alone. Absent: everything that the environment set itself then. */
  keys: z.array(z.string()).min(1).max(limits.keysPerSchema).optional(),
})

/** Names what a restore of whole versions restores too. Not together with `keys`, which are restored in any case. */
export const restoredToo = z.array(z.enum(restoreExceptions)).max(restoreExceptions.length)

/** Describes a key that a restore of a whole version left out, although it differs there. */
export const notRestored = z.object({ key: z.string(), reason: z.enum(restoreExceptions) })

/** Describes a change set: edits of several environments that are stored together. */
export const configChangeSet = z
  .object({
    /** One for each of `changes`, in their order, and then those that inherit from them and look different. */
    environments: z.array(
      z.object({
        environmentId: id('env'),
        /** Lists the changes that clients there see. Secrets by name only. */
        changes: z.array(valueChange),
        /** Holds the new version. Null when nothing was stored, because nothing changed or in a dry run. */
        version: configVersion.nullable(),
        /** Counts the writes to the environment. As `expectedVersion` of the next request it refuses what was saved since. */
        currentVersion: z.number().int(),
      }),
    ),
    /** Lists the problems in a dry run. Otherwise a change set with problems is refused. */
    problems: z.array(cellProblem),
    /** Lists the confirmations that the changed environments require, in a dry run, whether or not the request has them. */
    requires: z.array(changeRequirement),
    /** Names the environments, production and protected ones, that an assistant does not change: a person saves this. */
    personRequired: z.array(z.string()),
    /** Lists the conflicts with others' saves, in a dry run. */
    conflicts: z.array(configConflict),
    /** Holds the body of `POST …/config-versions/restore` that undoes it. Null when nothing was stored. */
    undo: z.object({ restores: z.array(restore.strip()), include: restoredToo }).nullable(),
  })
  .meta({ id: 'ConfigChangeSet' })

/** Declares the endpoints of the matrix and of change sets. */
export const configMatrixEndpoints = declareEndpoints({ topics: ['configuration'] })({
  getConfigMatrix: {
    method: 'GET',
    path: `${org}/config-matrix`,
    tag: 'Values',
    summary: 'Every key of a schema in every environment.',
    description:
      'Never shows a secret. For readers who may read secrets, cells of a key with the same `mark` hold the same secret. Repeat `environmentId` to narrow the columns.',
    access: viewerOrKey,
    agents: 'read',
    // Compresses 0.9 MB, of 2,000 keys in four environments, to about 20 kB.
    compresses: true,
    query: z.strictObject({
      schemaId: id('sch'),
      environmentId: z
        .union([id('env'), z.array(id('env')).max(limits.environmentsPerOrganization)])
        .transform((ids) => (typeof ids === 'string' ? [ids] : ids))
        .optional(),
    }),
    response: { status: 200, body: configMatrix },
    topics: ['schema', 'environment', 'configuration'],
    problems: ['key_scope_forbidden'],
  },
  changeConfig: {
    method: 'POST',
    path: `${org}/config-changes`,
    tag: 'Values',
    summary: 'Change values in several environments together: all of them or none.',
    description:
      'Writes one version in each environment that changes. If `expectedVersion` is not the current version, the server answers 412 `revision_mismatch` with `conflicts`: each change since, its author, and whether it affects the same keys. A dry run stores nothing and returns the refusals cell by cell. A public value, a flag or a rule with the form of a known credential is refused with `looks_like_secret`, unless `allowPlain` names its key.',
    access: valueWriter,
    agents: 'write',
    agentsInDryRun: 'read',
    body: z.strictObject({
      schemaId: id('sch'),
      changes: z.array(environmentChange).min(1).max(limits.environmentsPerOrganization),
      ...allowPlainField,
      ...writeFields,
      dryRun: z.boolean().optional(),
    }),
    bodyLimitBytes: limits.schemaBodyBytes,
    response: { status: 200, body: configChangeSet },
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
      ...protectionProblems,
      'key_scope_forbidden',
    ],
  },
  restoreConfigVersions: {
    method: 'POST',
    path: `${org}/config-versions/restore`,
    tag: 'Versions',
    summary: 'Make versions of several environments current again: all of them or none.',
    description:
      'All versions must belong to one schema, and each to a different environment. With `keys`, only these keys go back. Without, every key, except for flags that a kill switch has turned off now and not in the version: `leftOut` names them, and `include`, which `keys` excludes, restores them too. The `undo` of a change set is a body for this request.',
    access: valueWriter,
    body: z.strictObject({
      restores: z.array(restore).min(1).max(limits.environmentsPerOrganization),
      include: restoredToo.optional(),
      ...writeFields,
      dryRun: z.boolean().optional(),
      force: z.boolean().optional(),
    }),
    response: {
      status: 200,
      body: configChangeSet.extend({
        leftOut: z.array(notRestored.extend({ environmentId: id('env') })),
      }),
    },
    problems: [
      'unknown_key',
      'unknown_segment',
      'too_many_rules',
      'schema_violation',
      'revision_mismatch',
      'breaking_change',
      ...protectionProblems,
      'key_scope_forbidden',
      'conflict',
      'step_up_required',
    ],
  },
})
