import { z } from 'zod'
import { tiers, valueSources, valueTypes } from '../../config.ts'
import { author, descriptionText, id, time } from '../shapes.ts'
import { flagRules } from './flag-rules.ts'

/** Describes what every change of an environment has to bring along, whoever makes it and with whatever client. */
export const environmentProtection = z
  .object({
    /** The request names the environment in `confirm`. */
    confirm: z.boolean(),
    /** The request says why in `comment`. */
    comment: z.boolean(),
  })
  .meta({ id: 'EnvironmentProtection' })

/** Describes what a change has to bring along for one environment: an entry of `requires`. */
export const changeRequirement = z
  .object({
    environmentId: id('env'),
    /** The name to give in `confirm`. */
    environment: z.string(),
    confirm: z.boolean(),
    comment: z.boolean(),
  })
  .meta({ id: 'ChangeRequirement' })

/** Describes an environment, with its parent and protection. */
export const environment = z
  .object({
    id: id('env'),
    name: z.string(),
    description: z.string(),
    /** Clients ask for confirmation before they change it. */
    production: z.boolean(),
    protection: environmentProtection,
    /** Values not set here are read from this environment. */
    parentId: id('env').nullable(),
    /** Counts the changes; `If-Match` compares with it. */
    revision: z.number().int(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Environment' })

/** Describes a value: a text, a number or a boolean. */
export const configValue = z.union([z.string(), z.number(), z.boolean()])

/** Describes the fields of a key; names, types and constraints are checked key by key, so that each fault gets its own pointer. */
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

/** Describes the keys of a schema by their names. */
export const schemaDefinition = z.record(z.string(), keyDefinition)

/** Describes a key as it is read: the default of a secret is left out. */
export const shownKeyDefinition = keyDefinition
  .extend({
    tier: z.enum(tiers),
    required: z.boolean(),
    /** True when there is a default. The default of a secret is shown only to those who may read secrets. */
    hasDefault: z.boolean(),
  })
  .meta({ id: 'ShownKeyDefinition' })

/** Describes a schema with its keys. */
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

/** Describes the keys that each environment lacks, and the values that do not fit. */
export const configReport = z
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

/** Describes a value as it is stored in an environment. */
export const storedValue = z
  .object({
    value: configValue.optional(),
    tier: z.enum(tiers),
    type: z.enum(valueTypes),
    source: z.enum(valueSources),
    /** Decide before the value; they come from the environment that sets it. Never shown to a browser key. */
    rules: flagRules.optional(),
    /** The environment the value is inherited from. A browser key learns it only of environments it may read. */
    inheritedFrom: id('env').optional(),
    updatedAt: time.nullable(),
    /** Null for a browser key: it learns of nobody. */
    updatedBy: author.nullable(),
  })
  .meta({ id: 'StoredValue' })

/** Describes the stored values of a schema in an environment. */
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
 * Describes a change of one key: what clients had before and have after it, whether set, inherited or default. A secret's values
 * are never shown. An open key without any was set, or no longer is, to what clients had anyway.
 */
export const valueChange = z
  .object({
    key: z.string(),
    tier: z.enum(tiers),
    change: z.enum(['added', 'changed', 'removed']),
    before: configValue.optional(),
    after: configValue.optional(),
    /** The rules of a flag, where there were some. */
    rulesBefore: flagRules.optional(),
    /** The rules of a flag, where there are some. */
    rulesAfter: flagRules.optional(),
  })
  .meta({ id: 'ValueChange' })

/** Describes a version: one write to the values of a schema in an environment. */
export const configVersion = z
  .object({
    id: id('ver'),
    schemaId: id('sch'),
    environmentId: id('env'),
    version: z.number().int(),
    /** Names the cause of a version: a write, a restored version, a promotion, a change of the schema or of a parent environment. */
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
