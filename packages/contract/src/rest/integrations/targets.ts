import { z } from 'zod/v4'
import { keyNamePattern, tiers } from '../../config.ts'
import { limits } from '../../limits.ts'
import { admin, adminOrKey, org, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { providerName } from './shapes.ts'
import { nextStep } from '../next-step.ts'
import { author, credential, givenDisplayName, id, page, pageQuery, time } from '../shapes.ts'

/** Lists where a destination keeps a name: among its secrets, which nobody reads back, or among its variables. */
export const targetStores = ['secret', 'variable'] as const
export type TargetStore = (typeof targetStores)[number]

/**
 * Lists the states of a target. `planned`: it waits for its first run. `deleting`: Signalbox removes the names that it wrote,
 * then the target.
 */
export const targetStates = ['planned', 'active', 'paused', 'deleting'] as const
export type TargetState = (typeof targetStates)[number]

/** Lists the reasons for which a target fails. Each has a next step. */
export const targetReasons = [
  'names_taken',
  'names_refused',
  'permission_missing',
  'access_revoked',
  'not_found',
  'rate_limited',
  'rejected',
  'unavailable',
  'source_deleted',
  'maker_left',
] as const
export type TargetReason = (typeof targetReasons)[number]

/** Describes the health of a target. `null` throughout: nothing is wrong. */
const targetHealth = z.object({
  state: z.enum(['ok', 'failing']),
  reason: z.enum(targetReasons).nullable(),
  /** Says what happened, in one sentence. It never holds a value. */
  detail: z.string().nullable(),
  /** Says what to do next, in one sentence. */
  nextStep: z.string().nullable(),
  /** Holds the page of the provider on which to do it. */
  url: z.string().nullable(),
  failingSince: time.nullable(),
  lastOkAt: time.nullable(),
})

/** Describes where an environment's values are written, without the token. */
export const target = z
  .object({
    id: id('tgt'),
    name: z.string(),
    state: z.enum(targetStates),
    schemaId: id('sch'),
    /** Names the schema. `null`: it was deleted. */
    schema: z.string().nullable(),
    environmentId: id('env'),
    /** Names the environment. `null`: it was deleted. */
    environment: z.string().nullable(),
    provider: providerName,
    providerName: z.string(),
    /** Holds the settings of the destination, by the names of the provider's fields. */
    destination: z.record(z.string(), z.string()),
    /** Names the destination for people. Example: `acme/shop, environment production`. */
    destinationName: z.string(),
    /** Holds the page of the provider that lists the names. */
    url: z.string().nullable(),
    /** Lists the tiers whose keys are written. */
    tiers: z.array(z.enum(tiers)),
    /** Lists further keys that are written. */
    keys: z.array(z.string()),
    /** Stands before every name. */
    prefix: z.string(),
    /** Says whether a token of the provider is stored. It is never shown. */
    hasToken: z.boolean(),
    /** Counts the names that Signalbox wrote. */
    names: z.number().int(),
    /** Holds the version of the configuration that the last complete run wrote. */
    writtenVersion: z.number().int().nullable(),
    /** Says that a run is under way, or that a change waits for one. */
    isPending: z.boolean(),
    lastRunAt: time.nullable(),
    health: targetHealth,
    createdAt: time,
    /** Names who created it. `null`: not known. */
    createdBy: author.nullable(),
    /** Says what they were signed in with. `null`: an API key, or the service itself. */
    createdWith: credential.nullable(),
  })
  .meta({ id: 'Target' })
export type Target = z.output<typeof target>

/** Describes a field of a destination's form. */
export const targetField = z
  .object({
    name: z.string(),
    label: z.string(),
    hint: z.string().nullable(),
    placeholder: z.string().nullable(),
    required: z.boolean(),
    /** `repository`: the full name of a repository, of which Signalbox may know some. */
    kind: z.enum(['text', 'repository', 'choice']),
    choices: z.array(z.object({ value: z.string(), label: z.string() })),
  })
  .meta({ id: 'TargetField' })

/** Describes a provider that values can be written to. */
export const targetProvider = z
  .object({
    provider: providerName,
    displayName: z.string(),
    /** Says in one or two sentences what is written there, and how. */
    description: z.string(),
    /** `integration`: Signalbox uses the connected integration. `token`: a person enters a token of the provider. */
    access: z.enum(['integration', 'token']),
    /** Explains where a person gets the token, and what it may do. */
    tokenAdvice: z.string().nullable(),
    /** Says whether a target can be created now. */
    isUsable: z.boolean(),
    /** Says what to do first. */
    next: nextStep.nullable(),
    /** Lists the permissions that writing needs, and whether the integration has them. `null`: unknown. */
    permissions: z.array(z.object({ name: z.string(), granted: z.boolean().nullable() })),
    /** Holds the page of the provider on which a person grants them. */
    permissionsUrl: z.string().nullable(),
    fields: z.array(targetField),
  })
  .meta({ id: 'TargetProvider' })

/** Lists what a run does with a name. */
export const plannedActions = ['create', 'update', 'keep', 'delete', 'conflict', 'refuse'] as const

/** Describes what a run will do with one name. It holds no value. */
export const plannedName = z
  .object({
    name: z.string(),
    store: z.enum(targetStores),
    /** Holds the key whose value is written. `null`: the name is deleted because no key has it any more. */
    key: z.string().nullable(),
    /**
     * `conflict`: the name is there, and Signalbox did not write it; a run leaves it alone unless `adopt` names it. `refuse`: the
     * destination can't hold it.
     */
    action: z.enum(plannedActions),
    /** Explains a conflict or a rejection. */
    detail: z.string().nullable(),
    /** Says whether a person may adopt the name. */
    isAdoptable: z.boolean(),
    /** Holds the version of the configuration that was last written under this name. */
    writtenVersion: z.number().int().nullable(),
  })
  .meta({ id: 'PlannedName' })

/** Describes what a run will do. */
export const targetPlan = z
  .object({
    targetId: id('tgt'),
    /** Holds the version of the configuration that the plan is made of. */
    version: z.number().int(),
    counts: z.object({
      create: z.number().int(),
      update: z.number().int(),
      keep: z.number().int(),
      delete: z.number().int(),
      conflict: z.number().int(),
      refuse: z.number().int(),
    }),
    items: z.array(plannedName),
    /** Lists the names at the destination that Signalbox did not write and does not touch, a thousand at most. */
    untouched: z.array(z.object({ name: z.string(), store: z.enum(targetStores) })),
  })
  .meta({ id: 'TargetPlan' })
export type TargetPlan = z.output<typeof targetPlan>

/** Describes a name that Signalbox wrote. */
export const targetName = z
  .object({
    name: z.string(),
    store: z.enum(targetStores),
    key: z.string(),
    /** `writing`: a call is under way, or was interrupted; the next run repeats it. */
    state: z.enum(['writing', 'written', 'deleting', 'adopted']),
    /** Holds the version of the configuration that was written. `null`: none yet. */
    version: z.number().int().nullable(),
    writtenAt: time.nullable(),
  })
  .meta({ id: 'TargetName' })

const keyName = z.string().regex(keyNamePattern)
const selection = {
  tiers: z.array(z.enum(tiers)).max(tiers.length),
  keys: z.array(keyName).max(limits.keysPerSchema),
  prefix: z
    .string()
    .regex(
      /^(?:[A-Z][A-Z0-9_]{0,39})?$/,
      'Use up to 40 capital letters, digits or "_", beginning with a letter.',
    ),
}
const token = z
  .string()
  .max(500)
  .regex(/^[\x21-\x7E]+$/, 'Use printable ASCII characters, without a space.')

const targets = `${org}/targets` as const
const one = `${targets}/{target_id}` as const
const providerRejections = [
  'provider_error',
  'integration_not_connected',
  'reauth_required',
] as const

export const targetEndpoints = declareEndpoints({ tag: 'Targets', topics: ['target'] })({
  listTargetProviders: {
    method: 'GET',
    path: `${org}/target-providers`,
    summary: 'The providers that values can be written to, with the fields of each.',
    access: viewerOrKey,
    response: { status: 200, body: z.object({ items: z.array(targetProvider) }) },
    topics: ['integration'],
    problems: ['key_scope_forbidden'],
  },
  createTarget: {
    method: 'POST',
    path: targets,
    summary: 'Create a target. Nothing is written before its first run.',
    description:
      'The values of the chosen keys leave Signalbox, including secrets: everyone with access to the destination can use them. The audit log records it. Two targets can’t have the same destination.',
    access: admin,
    opens: 'door',
    body: z.strictObject({
      name: givenDisplayName,
      schemaId: id('sch'),
      environmentId: id('env'),
      provider: providerName,
      destination: z.record(z.string().max(40), z.string().max(500)),
      /** Holds the provider's token, where its `access` is `token`. */
      token: token.optional(),
      tiers: selection.tiers.default([]),
      keys: selection.keys.default([]),
      prefix: selection.prefix.default(''),
    }),
    response: { status: 201, body: target },
    problems: ['already_exists', 'quota_exceeded', ...providerRejections],
  },
  listTargets: {
    method: 'GET',
    path: targets,
    summary: 'The targets and their health, oldest first.',
    access: viewerOrKey,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(target) },
    problems: ['invalid_cursor', 'key_scope_forbidden'],
  },
  getTarget: {
    method: 'GET',
    path: one,
    summary: 'One target and its health.',
    access: viewerOrKey,
    response: { status: 200, body: target },
    problems: ['key_scope_forbidden'],
  },
  updateTarget: {
    method: 'PATCH',
    path: one,
    summary: 'Change the name, the keys or the token of a target.',
    description:
      'The next run writes what is new and deletes what is no longer chosen. The destination, the schema and the environment stay: create another target for another.',
    access: admin,
    opens: 'door',
    body: z.strictObject({ name: givenDisplayName, ...selection, token }).partial(),
    response: { status: 200, body: target },
    problems: ['conflict', ...providerRejections],
  },
  pauseTarget: {
    method: 'POST',
    path: `${one}/pause`,
    summary: 'Stop writing. The names that are written stay as they are.',
    access: admin,
    response: { status: 200, body: target },
    problems: ['conflict'],
  },
  resumeTarget: {
    method: 'POST',
    path: `${one}/resume`,
    summary: 'Write again, beginning with what changed during the pause.',
    access: admin,
    opens: 'door',
    response: { status: 200, body: target },
    problems: ['conflict'],
  },
  deleteTarget: {
    method: 'DELETE',
    path: one,
    summary: 'Delete a target, and keep or remove the names that it wrote.',
    description:
      'With `names=keep` the target is gone immediately and its names stay at the destination. With `names=remove` it is in the state `deleting` until Signalbox has removed every name that it wrote.',
    access: admin,
    query: z.strictObject({ names: z.enum(['keep', 'remove']) }),
    response: { status: 204 },
  },
  planTarget: {
    method: 'GET',
    path: `${one}/plan`,
    summary: 'What the next run will create, update, leave and delete. It holds no value.',
    description: 'Signalbox asks the provider for the names that are there now.',
    access: adminOrKey,
    rateClass: 'write',
    response: { status: 200, body: targetPlan },
    topics: ['target', 'configuration', 'schema', 'environment'],
    problems: ['key_scope_forbidden', 'conflict', ...providerRejections],
  },
  runTarget: {
    method: 'POST',
    path: `${one}/runs`,
    summary: 'Write now. The first run makes the target active: later ones follow each change.',
    description:
      'A name that is there and that Signalbox did not write is left alone, unless `adopt` holds it: Signalbox then overwrites it, and deletes it when its key is no longer chosen.',
    access: admin,
    opens: 'door',
    body: z.strictObject({
      adopt: z
        .array(z.object({ name: z.string().max(300), store: z.enum(targetStores) }))
        .max(1_000)
        .default([]),
    }),
    response: { status: 202, body: target },
    problems: ['conflict'],
  },
  listTargetNames: {
    method: 'GET',
    path: `${one}/names`,
    summary: 'The names that Signalbox wrote, with the version of each.',
    access: viewerOrKey,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(targetName) },
    problems: ['invalid_cursor', 'key_scope_forbidden'],
  },
})
