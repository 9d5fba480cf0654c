import { z } from 'zod/v4'
import { tiers } from '../../config.ts'
import { limits } from '../../limits.ts'
import { requestStates } from '../../protection.ts'
import { org, valueWriter, viewer, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { author, configValue, givenTime, id, page, pageQuery, time } from '../shapes.ts'
import { flagRules } from './flag-rules.ts'
import { changeRequirement, changeSource, environmentProtection } from './shapes.ts'

/**
 * Lists what a request can do, each the body of the endpoint that does it at once: `values` of `POST …/config-changes`, `schema` of
 * `PUT …/config-schemas/{id}`, `restore` of `POST …/config-versions/restore`, `promote`, `segment`, `environment`, `signal`, `import` and
 * `plan`.
 * `rename` is the body of `PATCH …/config-schemas/{id}`, `delete` a path, and `apply` several of them, all or none.
 */
export const operationKinds = [
  'values',
  'schema',
  'rename',
  'restore',
  'promote',
  'segment',
  'environment',
  'signal',
  'import',
  'plan',
  'delete',
  'apply',
] as const
export type OperationKind = (typeof operationKinds)[number]

/** Lists what a reviewer can say. The last one that a reviewer said about a revision counts. */
export const reviewVerdicts = ['approve', 'decline', 'comment'] as const
export type ReviewVerdict = (typeof reviewVerdicts)[number]

const body = z.record(z.string(), z.unknown())

/** Describes one change of a request. The server checks `body` as the endpoint would, with pointers below it. */
const oneOperation = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('values'),
    body,
    /** Deletes the values that `set` leaves out, as `PUT …/config-values?replace=true` does. Only with one environment. */
    replace: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('schema'), schemaId: id('sch'), body }),
  z.strictObject({ kind: z.literal('rename'), schemaId: id('sch'), body }),
  z.strictObject({ kind: z.literal('restore'), body }),
  z.strictObject({ kind: z.literal('promote'), body }),
  z.strictObject({ kind: z.literal('segment'), segment: z.string().min(1).max(63), body }),
  z.strictObject({ kind: z.literal('environment'), environmentId: id('env'), body }),
  z.strictObject({ kind: z.literal('signal'), id: id('sig'), body }),
  z.strictObject({ kind: z.literal('import'), body }),
  z.strictObject({ kind: z.literal('plan'), body }),
  z.strictObject({
    kind: z.literal('delete'),
    /** Holds the path below the organization. Example: `/segments/staff`. */
    path: z.string().regex(/^\/(?:config-schemas|environments|segments)\/[^/]{1,63}$/, {
      error: 'Use the path of a schema, an environment or a segment, such as /segments/staff.',
    }),
    /** Deletes the values too that a schema or an environment holds. */
    force: z.boolean().optional(),
    /** Holds the names of the environments, where they require it. */
    confirm: z.array(z.string()).optional(),
    comment: z.string().max(1000).optional(),
  }),
])
export type ChangeOperation = z.output<typeof oneOperation>

const anyOperation = z.union([
  oneOperation,
  z.strictObject({
    kind: z.literal('apply'),
    operations: z.array(oneOperation).min(1).max(limits.operationsPerRequest),
  }),
])
export type RequestedOperation = z.output<typeof anyOperation>

/** Describes what a request does. */
export const requestedOperation: z.ZodType<RequestedOperation, RequestedOperation> = anyOperation

/** Describes what readers get of one key. A secret has a mark in place of a value: equal marks of one request are equal values. */
const effectSide = z.object({
  value: configValue.optional(),
  rules: flagRules.optional(),
  secret: z.literal(true).optional(),
  /** Absent for those who may not read the secrets of the environment. */
  mark: z.string().optional(),
  /** Names the environment or the schema, where its name or the whole of it changes. */
  name: z.string().optional(),
  /** Names the environment that it inherits from, where that changes. Null: none. */
  parent: z.string().nullable().optional(),
  /** Holds what the environment requires, where that becomes weaker. */
  protection: environmentProtection.optional(),
  /** Describes a signal that the policy of the environment names. `spec`: null for those who write nothing there. */
  signal: z.object({ id: id('sig'), name: z.string(), spec: z.string().nullable() }).optional(),
})

/** Describes what changes for the readers of one environment: one key, or without `key` the environment or the schema itself. */
const effect = z
  .object({
    environmentId: id('env'),
    environment: z.string(),
    /** Null: the environment itself changes. */
    schemaId: id('sch').nullable(),
    schema: z.string().nullable(),
    /** Null: a name, a parent or a policy changes, or all of it is deleted. */
    key: z.string().nullable(),
    tier: z.enum(tiers).nullable(),
    /** Null: there was nothing. */
    before: effectSide.nullable(),
    /** Null: there is nothing afterwards. */
    after: effectSide.nullable(),
    /** Says where the value comes from afterwards, or came from before, if there is none. */
    source: changeSource.nullable(),
    /** Lists the changed segments, where the rules refer to them and stay as they are. */
    segments: z.array(z.string()).optional(),
    /** Says that a value comes back which is stored from an earlier time. */
    returns: z.literal(true).optional(),
    /** Says that this effect needs no approval: a default of a new key, or a kill switch. */
    free: z.literal(true).optional(),
  })
  .meta({ id: 'ChangeEffect' })
export interface ChangeEffect extends z.output<typeof effect> {}
export const changeEffect: z.ZodType<ChangeEffect, ChangeEffect> = effect

/** Describes what somebody else has made of a key since the request was approved. */
const conflictOfRequest = z.object({
  environmentId: id('env'),
  environment: z.string(),
  schemaId: id('sch').nullable(),
  key: z.string().nullable(),
  /** Holds what the reviewers saw as the value before the change. */
  // oxlint-disable-next-line unicorn/no-thenable -- it is no function, so nothing awaits it
  then: effectSide.nullable(),
  now: effectSide.nullable(),
  /** Names who has changed it last. Null: no version tells. */
  by: author.nullable(),
  at: time.nullable(),
})

export interface RequestConflict extends z.output<typeof conflictOfRequest> {}
const requestConflict: z.ZodType<RequestConflict, RequestConflict> = conflictOfRequest

const review = z.object({
  member: z.object({ id: id('usr'), name: z.string() }),
  verdict: z.enum(reviewVerdicts),
  text: z.string(),
  revision: z.number().int(),
  /** Says whether an approval or a decline counts now: it is of this revision, the reviewer's last, and they may still review. */
  counts: z.boolean(),
  at: time,
})

/** Describes a request as lists show it. */
const summary = z
  .object({
    id: id('chr'),
    /** Counts the requests of the organization. */
    number: z.number().int(),
    title: z.string(),
    reason: z.string(),
    state: z.enum(requestStates),
    /** Counts how often the author has changed what it does. */
    revision: z.number().int(),
    author: author.extend({
      /** Says what they were signed in with. */
      via: z.enum(['session', 'personal_access_token', 'agent', 'api_key', 'bootstrap']).optional(),
    }),
    kind: z.enum(operationKinds),
    environments: z.array(
      z.object({
        environmentId: id('env'),
        name: z.string(),
        approvals: z.object({ needed: z.number().int(), given: z.number().int() }),
      }),
    ),
    /** Lists the keys whose readers it changes, at most 100. */
    keys: z
      .array(z.object({ environmentId: id('env'), schemaId: id('sch'), key: z.string() }))
      .max(limits.requestKeysListed),
    /** Holds the time at which it applies itself, once it is approved. */
    applyAt: time.nullable(),
    /** Says who applied it without the approvals, why, and who has acknowledged that. */
    overriddenBy: z
      .object({
        member: author,
        comment: z.string(),
        at: time,
        acknowledgedBy: author.nullable(),
      })
      .optional(),
    /** Says why it failed. */
    failure: z.object({ code: z.string(), detail: z.string() }).optional(),
    appliedVersions: z
      .array(
        z.object({
          environmentId: id('env'),
          schemaId: id('sch'),
          versionId: id('ver'),
          version: z.number().int(),
        }),
      )
      .optional(),
    createdAt: time,
    updatedAt: time,
    expiresAt: time,
  })
  .meta({ id: 'ChangeRequestSummary' })
export interface ChangeRequestSummary extends z.output<typeof summary> {}
export const changeRequestSummary: z.ZodType<ChangeRequestSummary, ChangeRequestSummary> = summary

/** Describes a request. */
const whole = summary
  .extend({
    /** Holds what it does, secret values as null. */
    operation: z.record(z.string(), z.unknown()),
    /** Lists the places of the secret values. Example: `/body/changes/0/set/stripeKey`. */
    omitted: z.array(z.string()),
    /** Lists what changes for readers, as the reviewers of this revision see it. */
    effects: z.array(changeEffect),
    reviews: z.array(review),
    /** Lists what somebody has changed in the meantime, until there is a new revision. */
    conflict: z.array(requestConflict).optional(),
    /** Says what the caller may do with it now. */
    may: z.object({
      review: z.boolean(),
      /** Says whether a review would be refused because the caller is an author. */
      ownRequest: z.boolean(),
      revise: z.boolean(),
      apply: z.boolean(),
      withdraw: z.boolean(),
      override: z.boolean(),
      acknowledge: z.boolean(),
    }),
    /** Counts the revisions and reviews; `If-Match` compares with it. */
    version: z.number().int(),
  })
  .meta({ id: 'ChangeRequest' })
export interface ChangeRequest extends z.output<typeof whole> {}
export const changeRequest: z.ZodType<ChangeRequest, ChangeRequest> = whole

const title = z.string().trim().min(1).max(200)
const written = {
  title,
  reason: z.string().max(2000).optional(),
  operation: requestedOperation,
  /** Applies it at that moment, if it is approved by then: at most 90 days ahead. */
  applyAt: givenTime.nullish(),
}

const requests = `${org}/change-requests` as const
const one = `${requests}/{request_id}` as const
const answer = { status: 200, body: changeRequest } as const

export const changeRequestEndpoints = declareEndpoints({
  tag: 'Change requests',
  topics: ['change_request'],
})({
  createChangeRequest: {
    method: 'POST',
    path: requests,
    summary: 'Ask for a change: people approve it, then it is applied.',
    description:
      'The answer of a write that needs approvals, 409 `approval_required`, holds the body in `request`. A write with `Prefer: respond-async` makes the request itself and answers 202. The same author asking for the same change again gets the request that waits already.',
    access: valueWriter,
    agents: 'write',
    body: z.strictObject(written),
    bodyLimitBytes: limits.schemaBodyBytes,
    response: { status: 201, body: changeRequest },
    problems: ['quota_exceeded', 'conflict', 'confirmation_required', 'comment_required'],
  },
  listChangeRequests: {
    method: 'GET',
    path: requests,
    summary: 'The change requests, newest first.',
    access: viewerOrKey,
    agents: 'read',
    query: z.strictObject({
      state: z.enum([...requestStates, 'waiting']).optional(),
      environment: id('env').optional(),
      author: z.string().max(64).optional(),
      /** `reviews`: those that wait for a review of the caller; `author`: those of the caller. */
      mine: z.enum(['reviews', 'author']).optional(),
      ...pageQuery,
    }),
    response: { status: 200, body: page(changeRequestSummary) },
    topics: ['change_request', 'environment', 'member'],
    problems: ['invalid_cursor'],
  },
  getChangeRequest: {
    method: 'GET',
    path: one,
    summary: 'One change request, by id or number.',
    access: viewerOrKey,
    agents: 'read',
    response: answer,
    topics: ['change_request', 'environment', 'member'],
  },
  getChangeRequestEffects: {
    method: 'GET',
    path: `${one}/effects`,
    summary:
      'What the request would change now, and where that differs from what its reviewers saw.',
    access: viewerOrKey,
    // Plans the change under the locks of a write.
    rateClass: 'write',
    query: z.strictObject({ against: z.literal('now').optional() }),
    response: {
      status: 200,
      body: z.object({ effects: z.array(changeEffect), conflicts: z.array(requestConflict) }),
    },
    topics: ['change_request', 'configuration', 'schema', 'segment', 'environment'],
    problems: ['conflict'],
  },
  reviseChangeRequest: {
    method: 'PUT',
    path: one,
    summary: 'Change what a request does. Earlier approvals stop counting.',
    description:
      'Requires `If-Match`. What is left out is cleared, except for secret values: null at a place of `omitted` keeps the value.',
    access: valueWriter,
    body: z.strictObject(written),
    bodyLimitBytes: limits.schemaBodyBytes,
    response: answer,
    problems: ['revision_mismatch', 'conflict', 'confirmation_required', 'comment_required'],
  },
  reviewChangeRequest: {
    method: 'POST',
    path: `${one}/reviews`,
    summary: 'Approve, decline or comment.',
    description: 'Only a signed-in person reviews, and never their own request.',
    access: viewer,
    body: z.strictObject({
      revision: z.number().int().min(1),
      verdict: z.enum(reviewVerdicts),
      text: z.string().max(2000).optional(),
    }),
    response: answer,
    problems: ['revision_mismatch', 'own_request', 'session_required', 'conflict'],
  },
  applyChangeRequest: {
    method: 'POST',
    path: `${one}/apply`,
    summary: 'Carry out an approved request.',
    access: valueWriter,
    response: answer,
    topics: ['change_request', 'configuration', 'schema', 'segment', 'environment'],
    problems: ['approval_required', 'conflict'],
  },
  scheduleChangeRequest: {
    method: 'POST',
    path: `${one}/schedule`,
    summary: 'Set or remove the time at which it applies itself.',
    access: valueWriter,
    body: z.strictObject({ applyAt: givenTime.nullable() }),
    response: answer,
    problems: ['conflict'],
  },
  withdrawChangeRequest: {
    method: 'POST',
    path: `${one}/withdraw`,
    summary: 'Withdraw a request that waits. Its author and admins may.',
    access: valueWriter,
    response: answer,
    problems: ['conflict'],
  },
  overrideChangeRequest: {
    method: 'POST',
    path: `${one}/override`,
    summary: 'Apply a request without its approvals, in an emergency.',
    access: viewer,
    stepUp: true,
    body: z.strictObject({ comment: z.string().trim().min(10).max(1000) }),
    response: answer,
    topics: ['change_request', 'configuration', 'schema', 'segment', 'environment'],
    problems: ['session_required', 'conflict'],
  },
  acknowledgeChangeRequest: {
    method: 'POST',
    path: `${one}/acknowledge`,
    summary: 'Say that you have seen a request that was applied without its approvals.',
    access: viewer,
    response: answer,
    problems: ['conflict', 'own_request'],
  },
})

/** Describes what a problem `approval_required` says beside its text. */
export const approvalRequired = z.object({
  requires: z.array(changeRequirement),
  request: z.looseObject({ title: z.string(), operation: z.record(z.string(), z.unknown()) }),
  omitted: z.array(z.string()),
})
