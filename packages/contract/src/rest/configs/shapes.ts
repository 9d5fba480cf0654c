import { z } from 'zod/v4'
import { changeSources } from '../../change-sources.ts'
import { keyOrigins, tiers, valueSources } from '../../config.ts'
import { limits } from '../../limits.ts'
import { failuresPattern, readFailures, type ProofTerms } from '../../changes/proofs.ts'
import { valueTypes } from '../../values/value-types.ts'
import { roles } from '../../roles.ts'
import { author, configValue, descriptionText, id, time } from '../shapes.ts'
import { flagRules } from './flag-rules.ts'

/** Lists who may apply a change without its approvals in an emergency. */
export const overrideRoles = ['admin', 'owner', 'nobody'] as const

/** Describes how a change is watched once it is live, and what happens when its signals turn bad. */
export const proofTerms: z.ZodType<ProofTerms, ProofTerms> = z
  .strictObject({
    signals: z.array(id('sig')).min(1).max(limits.signalsPerProof),
    /** Says for how long it is watched. */
    minutes: z.number().int().min(1).max(1440),
    /** Says how many of the last readings of one signal must be bad for the proof to fail. A failed test run fails it alone. */
    failures: z
      .string()
      .regex(failuresPattern, 'Use a text such as "3 of 5", with numbers up to 20.')
      .refine((text) => {
        const { bad, of } = readFailures(text)
        return bad <= of
      }, 'The first number can’t be greater than the second.'),
    /** Says what a signal without a good reading means at the end: `hold` ends the proof undecided, `pass` leaves the signal out. */
    noData: z.enum(['hold', 'pass']),
    /** Says whether the change is taken back when the proof fails, or people are only told. */
    onFailure: z.enum(['restore', 'tell']),
  })
  .meta({ id: 'ProofTerms' })

/** Describes what every change of an environment needs, from every client: a confirmation, a comment, the approval of others. */
export const environmentProtection = z
  .object({
    /** Requires the name of the environment in `confirm`. */
    confirm: z.boolean(),
    /** Requires a reason in `comment`. */
    comment: z.boolean(),
    /** Counts the people besides the author who have to approve. 0: nobody. */
    approvals: z.number().int().min(0).max(3),
    /** Says who may approve: members with one of the roles here, or the named ones. */
    approvers: z.union([
      z.strictObject({ roles: z.array(z.enum(roles)).min(1).max(roles.length) }),
      z.strictObject({ members: z.array(id('usr')).min(1).max(100) }),
    ]),
    /** Says that one decline holds a request up until its reviewer takes it back, or its author changes it. */
    declineBlocks: z.boolean(),
    override: z.enum(overrideRoles),
    /** Says whether turning a flag off waits for approvals too. Turning it on again always does. */
    killSwitches: z.enum(['free', 'approved']),
    /** Says how every change that goes live here is watched. Null: it is not. */
    prove: proofTerms.nullable(),
  })
  .meta({ id: 'EnvironmentProtection' })
export type EnvironmentProtection = z.output<typeof environmentProtection>

/** Describes what a change needs for one environment: an entry of `requires`. */
export const changeRequirement = z
  .object({
    environmentId: id('env'),
    /** Holds the name to send in `confirm`. */
    environment: z.string(),
    confirm: z.boolean(),
    comment: z.boolean(),
    /** Counts the people who have to approve the change. 0: nobody. */
    approvals: z.number().int(),
    /** Lists the keys that need the approvals. Empty: the environment or a schema as a whole does. */
    reasons: z.array(z.string()),
  })
  .meta({ id: 'ChangeRequirement' })

/** Names what a preview belongs to. */
export const environmentSource = z.object({
  repository: z.string(),
  /** Holds the number of the pull request. `null`: not known. */
  pullRequest: z.number().int().nullable(),
  /** Holds the name of the environment at the code host. Example: `pr-7`. */
  hostEnvironment: z.string(),
})

/** Describes an environment, with its parent and protection. */
export const environment = z
  .object({
    id: id('env'),
    name: z.string(),
    description: z.string(),
    /** Makes clients ask for a confirmation before they change it. */
    production: z.boolean(),
    protection: environmentProtection,
    /** Holds the id of the environment that this one inherits from. */
    parentId: id('env').nullable(),
    /** `preview`: it lives as long as a pull request, and is made and ended by a rule. */
    kind: z.enum(['standard', 'preview']),
    /** Names what a preview belongs to. `null`: the environment is no preview. */
    source: environmentSource.nullable(),
    /** Holds when the preview ended. Nothing of it is served since. */
    archivedAt: time.nullable(),
    /** Counts the changes; `If-Match` compares with it. */
    revision: z.number().int(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Environment' })

/**
 * Describes what people note about a key. Their contents are checked key by key. Left out, a note stays as it is stored;
 * an empty text, an empty list or `false` takes it away.
 */
export const keyNotes = {
  /** Names a person or a team. */
  owner: z.string().optional(),
  tags: z.array(z.string()).optional(),
  /** Holds the day on which the flag should be gone, or the secret ends at its issuer. Example: `2027-01-31`. */
  expires: z.string().optional(),
  /** Counts the days after which a secret should have another value, from its last change in each environment. 0: none. */
  rotateEvery: z.number().optional(),
  /** Holds the address of a page that says how the secret is replaced. */
  runbook: z.string().optional(),
  /** Says that one press turns the flag, in production too. */
  killSwitch: z.boolean().optional(),
  /** Names the environment variable, where it is not what the key's name becomes. */
  variable: z.string().optional(),
}

/**
 * Describes the fields of a key. Names, types and constraints are checked key by key, so that each violation gets its own
 * pointer.
 */
export const keyDefinition = z
  .strictObject({
    type: z.enum(valueTypes),
    tier: z.enum(tiers).optional(),
    description: descriptionText.optional(),
    default: configValue.optional(),
    /**
     * Says what becomes of the stored default where `default` is left out: `true` keeps it, `false` deletes it. Left
     * out too, that of a secret is not deleted: the change is refused.
     */
    hasDefault: z.boolean().optional(),
    required: z.boolean().optional(),
    constraints: z.record(z.string(), z.unknown()).optional(),
    partial: z.boolean().optional(),
    /** Says that rules may serve other values of a public key to some contexts. */
    targeted: z.boolean().optional(),
    /**
     * Lists the variants of a flag, each with whether the flag is on with it. Where no rule chooses one, the flag has the first
     * one with its value.
     */
    variants: z.array(z.strictObject({ name: z.string(), on: z.boolean() })).optional(),
    /** Says that nobody should begin to use the key. Left out, it stays as it is stored. */
    deprecated: z.boolean().optional(),
    /** Names the place that declares the key. Left out: `code`. */
    declaredIn: z.enum(keyOrigins).optional(),
    ...keyNotes,
    /** Says that environments are meant to have different values, which is no drift. Left out, it stays as it is stored. */
    expectedToDiffer: z.boolean().optional(),
  })
  .meta({ id: 'KeyDefinition' })

/** Describes the keys of a schema by their names. */
export const schemaDefinition = z.record(z.string(), keyDefinition)

/** Describes a key as it is read: the default of a secret is left out. */
export const shownKeyDefinition = keyDefinition
  .extend({
    tier: z.enum(tiers),
    required: z.boolean(),
    /** Says whether there is a default. Only callers who may read secrets see the default of a secret. */
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

/** Describes the missing keys and the invalid values of each environment. */
export const configReport = z
  .array(
    z.object({
      environment: z.string(),
      environmentId: id('env'),
      missing: z.array(z.string()),
      invalid: z.array(z.object({ key: z.string(), detail: z.string() })),
      orphaned: z.array(z.string()),
      /** Lists stored values that nobody reads and that the change brings back. A secret has no value here. */
      returning: z
        .array(
          z.object({
            key: z.string(),
            tier: z.enum(tiers),
            value: configValue.optional(),
            rules: flagRules.optional(),
          }),
        )
        .optional(),
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
    /** Holds the rules, which come before the value, from the environment that sets it. Never shown to a browser key. */
    rules: flagRules.optional(),
    /** Names the environment variable, where the definition does. */
    variable: z.string().optional(),
    /** Holds the environment that the value is inherited from. A browser key sees only environments that it may read. */
    inheritedFrom: id('env').optional(),
    updatedAt: time.nullable(),
    /** Holds the author. Null for a browser key, which sees no people. */
    updatedBy: author.nullable(),
  })
  .meta({ id: 'StoredValue' })

/** Describes an entry of `values` as it is sent back. Without `value` it stays as it is. */
export const sentValue = storedValue.partial().strict()

/** Describes the stored values of a schema in an environment. */
export const storedValues = z
  .object({
    schemaId: id('sch'),
    environmentId: id('env'),
    /** Counts the writes. `If-Match` compares with it. A browser key sees only the changes it can see. */
    version: z.number().int(),
    values: z.record(z.string(), storedValue),
  })
  .meta({ id: 'StoredValues' })

/** Describes the source of a value before or after a change. */
export const changeSource = z
  .object({
    source: z.enum(changeSources),
    /** Holds the environment that the value is inherited from. */
    environmentId: id('env').optional(),
    /** Names that environment as it was called at the time of the change. */
    environment: z.string().optional(),
  })
  .meta({ id: 'ChangeSource' })

/**
 * Describes a change of one key: the values of clients before and after it, whether set, inherited or default. A
 * secret's values are never shown. Equal values: only the source or the rules changed. A public key without values was
 * changed by a version that did not record them, because clients had the same value before.
 */
export const valueChange = z
  .object({
    key: z.string(),
    tier: z.enum(tiers),
    change: z.enum(['added', 'changed', 'removed']),
    before: configValue.optional(),
    after: configValue.optional(),
    /** Holds the rules of a flag before, if any. */
    rulesBefore: flagRules.optional(),
    /** Holds the rules of a flag after, if any. */
    rulesAfter: flagRules.optional(),
    /** Names the segments that changed. The rules of the flag refer to them, and stay as they are. */
    segments: z.array(z.string()).optional(),
    /** Says where the value came from before, also that of a secret. Absent: there was none, or nothing recorded it. */
    sourceBefore: changeSource.optional(),
    /** Says where the value comes from after, also that of a secret. Absent: there is none, or nothing recorded it. */
    sourceAfter: changeSource.optional(),
  })
  .meta({ id: 'ValueChange' })

/** Describes a version: one write to the values of a schema in an environment. */
export const configVersion = z
  .object({
    id: id('ver'),
    schemaId: id('sch'),
    environmentId: id('env'),
    version: z.number().int(),
    /** Names the cause of a version: a write, a restored version, a promotion, a change of the schema, of a parent environment or of a segment. */
    kind: z.enum(['write', 'restore', 'promote', 'schema', 'inherited', 'renamed', 'segment']),
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
