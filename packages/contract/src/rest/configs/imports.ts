import { z } from 'zod/v4'
import { tiers } from '../../config.ts'
import { valueTypes } from '../../values/value-types.ts'
import { importFormat, importSeverities, importSources } from '../../import-sources.ts'
import { limits } from '../../limits.ts'
import { schemaWriter, org } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { configValue, descriptionText, id, resourceName } from '../shapes.ts'
import { allowPlainField, confirmationFields, protectionProblems } from './protection.ts'
import { changeRequirement } from './shapes.ts'

const shortText = z.string().max(limits.importTextCharacters)

/** Describes something that an import cannot carry over as it is. It never holds the value of a secret. */
export const importIssue = z
  .strictObject({
    /** Identifies the kind of issue forever. Example: `LD-T011`. */
    code: z.string().regex(/^[A-Z]{2,3}-[A-Z]?\d{3}$/, 'Use a code such as LD-T011.'),
    severity: z.enum(importSeverities),
    /** Says what the other product has. */
    cause: shortText.min(1),
    /** Says what became of it here. */
    done: shortText.min(1),
    environment: shortText.optional(),
  })
  .meta({ id: 'ImportIssue' })

/** Describes a key to import, with its values by the name of the environment. */
export const importedKey = z
  .strictObject({
    /** Names the key here. The server checks it key by key. */
    key: z.string().min(1).max(256),
    /** Names it in the other product. */
    from: shortText.min(1),
    type: z.enum(valueTypes),
    tier: z.enum(tiers),
    description: descriptionText.optional(),
    tags: z.array(z.string()).optional(),
    /** Says that rules may serve other values of a public key. */
    targeted: z.boolean().optional(),
    /** Lists the variants of a flag. */
    variants: z.array(z.strictObject({ name: z.string(), on: z.boolean() })).optional(),
    /** Names its environment variable, where that is not what the name of the key becomes. */
    variable: z.string().min(1).max(256).optional(),
    /** Says whether a flag decides for every context as in the other product. */
    verdict: z.enum(['exact', 'differs']),
    /** Holds the value of each environment. Rules are checked key by key. */
    values: z
      .array(
        z.strictObject({
          environment: z.string().min(1).max(63),
          value: configValue,
          rules: z.array(z.unknown()).max(limits.rulesPerFlag).optional(),
        }),
      )
      .max(limits.environmentsPerOrganization),
    issues: z.array(importIssue).max(limits.importIssuesPerKey),
  })
  .meta({ id: 'ImportedKey' })

/** Describes what is not imported, and why. */
export const leftOutKey = z
  .strictObject({
    from: shortText.min(1),
    issues: z.array(importIssue).max(limits.importIssuesPerKey),
  })
  .meta({ id: 'LeftOutKey' })

/** Describes the format that importers write. Only the server reads it. */
export const importDocument = z
  .strictObject({
    format: z.literal(importFormat, `Use a document of the format ${importFormat}.`),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table are the sources
    source: z.enum(Object.keys(importSources) as [keyof typeof importSources]),
    keys: z.array(importedKey).max(limits.keysPerImport),
    leftOut: z.array(leftOutKey).max(limits.keysPerImport),
  })
  .meta({ id: 'ImportDocument' })

/** Describes what an import does, or would do, to one key. It never shows a value. */
export const plannedKey = z
  .object({
    key: z.string(),
    from: z.string(),
    /** Names the environment variable that the key has afterwards. Absent: what its name becomes, or the key fails. */
    variable: z.string().optional(),
    verdict: z.enum(['exact', 'differs', 'left out']),
    /** `skip`: it exists, differs, and `update` does not name it. `failed`: see `problems`. `none`: it is left out. */
    action: z.enum(['create', 'update', 'unchanged', 'skip', 'failed', 'none']),
    environments: z.array(
      z.object({
        environment: z.string(),
        /** `turned off`: it differs there, and stays turned off. */
        state: z.enum(['set', 'same', 'differs', 'turned off', 'missing environment']),
      }),
    ),
    issues: z.array(importIssue),
    /** Says why the key fails. Never a value. */
    problems: z.array(z.string()),
    /** Says that the key fails for the form of its values alone: `allowPlain` lets it in. */
    looksLikeSecret: z.literal(true).optional(),
  })
  .meta({ id: 'PlannedKey' })

/** Describes what an import does, or would do. */
export const importPlan = z
  .object({
    /** Null where a dry run would create the schema. */
    schemaId: id('sch').nullable(),
    schema: z.string(),
    dryRun: z.boolean(),
    counts: z.object({
      exact: z.number().int(),
      differs: z.number().int(),
      leftOut: z.number().int(),
      create: z.number().int(),
      update: z.number().int(),
      unchanged: z.number().int(),
      skip: z.number().int(),
      failed: z.number().int(),
    }),
    keys: z.array(plannedKey),
    /** Lists the confirmations that the environments require. */
    requires: z.array(changeRequirement),
  })
  .meta({ id: 'ImportPlan' })

/** Declares the endpoint of imports from other products. */
export const importEndpoints = declareEndpoints({ tag: 'Values' })({
  importConfig: {
    method: 'POST',
    path: `${org}/config-imports`,
    summary: 'Import keys, flags and values from another product, or plan it.',
    description:
      'Takes the format `signalbox-import/1`, which `signalbox import` writes. A dry run answers the plan and stores nothing. A key that exists is left as it is, unless `update` names it. A key that fails does not stop the others. Repeat the request to continue: what is there already is `unchanged`. Values of secrets are sealed on arrival, and no answer shows them.',
    access: schemaWriter,
    body: z.strictObject({
      /** Names the schema, which is created if there is none. */
      schema: resourceName,
      document: importDocument,
      /** Names the existing keys that may change. */
      update: z.array(z.string()).max(limits.keysPerImport).optional(),
      dryRun: z.boolean().optional(),
      ...allowPlainField,
      ...confirmationFields,
    }),
    bodyLimitBytes: limits.schemaBodyBytes,
    response: { status: 200, body: importPlan },
    topics: ['schema', 'configuration'],
    problems: [
      'already_exists',
      'breaking_change',
      'quota_exceeded',
      'revision_mismatch',
      'key_scope_forbidden',
      'looks_like_secret',
      ...protectionProblems,
    ],
  },
})

/** Describes what an import does, or would do. */
export type ImportPlan = z.input<typeof importPlan>
/** Describes what an import does, or would do, to one key. */
export type PlannedKey = z.input<typeof plannedKey>
/** Describes the format that importers write. */
export type ImportDocument = z.input<typeof importDocument>
