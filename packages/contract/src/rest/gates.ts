import { z } from 'zod/v4'
import { admin, developer, open, org, viewer, viewerOrKey } from './access.ts'
import { declareEndpoints } from './endpoint.ts'
import {
  author,
  comment,
  commitSha,
  givenDisplayName,
  givenTime,
  id,
  page,
  pageQuery,
  repositoryName,
  time,
} from './shapes.ts'

/** Lists the days of a window of time. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Lists what a gate may ask for. */
export const gateRuleKinds = [
  'configuration',
  'tests',
  'soak',
  'freeze',
  'issues',
  'quiet',
  'approvals',
] as const
export type GateRuleKind = (typeof gateRuleKinds)[number]

/**
 * Lists the states of a decision. `waiting` is the only one that goes on. `overridden`: a person let the deployment go on.
 * `expired`: nothing asked for a day, or the code host forgot it.
 */
export const gateStates = ['waiting', 'passed', 'refused', 'overridden', 'expired'] as const
export type GateState = (typeof gateStates)[number]

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time such as 18:00.')

/** Describes one thing that a gate asks for, with its terms. */
export const gateRule = z
  .discriminatedUnion('rule', [
    /** Requires that every required key of the commit’s definition has a valid value. */
    z.strictObject({ rule: z.literal('configuration') }),
    /** Requires that tests of the same commit passed there, and that no other commit went live meanwhile. */
    z.strictObject({
      rule: z.literal('tests'),
      environmentId: id('env'),
      withinHours: z.number().int().min(1).max(720),
    }),
    /** Requires that the same commit has been live there for some time. */
    z.strictObject({
      rule: z.literal('soak'),
      environmentId: id('env'),
      minutes: z.number().int().min(1).max(10_080),
    }),
    /** Holds deployments up in windows of time. `to` before `from` ends on the next day. */
    z.strictObject({
      rule: z.literal('freeze'),
      windows: z
        .array(
          z.strictObject({
            days: z.array(z.enum(weekdays)).min(1).max(7),
            from: clock,
            to: clock,
            /** Holds the IANA name of a time zone. Example: `Europe/Berlin`. */
            zone: z.string().min(1).max(60),
          }),
        )
        .min(1)
        .max(20),
      /** Lets a deployment of a branch or tag that begins with `hotfix` go on. */
      exceptHotfix: z.boolean(),
    }),
    /** Requires that the issues of the deployment are done. */
    z.strictObject({ rule: z.literal('issues') }),
    /** Requires that no change of configuration there is watched, and that nothing there has just failed. */
    z.strictObject({ rule: z.literal('quiet') }),
    /** Requires that people approve the deployment here. */
    z.strictObject({
      rule: z.literal('approvals'),
      count: z.number().int().min(1).max(5),
      /** Lists who may. Empty: every member who may write values there. */
      members: z.array(id('usr')).max(100),
    }),
  ])
  .meta({ id: 'GateRule' })
export type GateRule = z.output<typeof gateRule>

/** Describes what deployments to some environments wait for. */
export const gate = z
  .object({
    id: id('gat'),
    name: z.string(),
    environmentIds: z.array(id('env')),
    /** Lists repositories by name. Empty: all. */
    repositories: z.array(z.string()),
    /** `watch`: says what it would have held up, and holds nothing up. */
    mode: z.enum(['enforce', 'watch']),
    rules: z.array(gateRule),
    revision: z.number().int(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Gate' })
export type Gate = z.output<typeof gate>

/** Describes why a deployment waits, or what it has waited for. */
export const gateReason = z.object({
  gateId: id('gat').nullable(),
  /**
   * Names the rule. `frozen`: the environment is frozen. `fork`: the commit comes from a fork. `no_gate`: no gate covers the
   * deployment. `unknown_environment`: nothing covers it, because the environment is none of ours.
   */
  code: z.enum([...gateRuleKinds, 'frozen', 'fork', 'no_gate', 'unknown_environment']),
  state: z.enum(['met', 'waiting', 'refused']),
  /** Says that its gate only watches, so that it holds nothing up. */
  isWatched: z.boolean(),
  /** Example: `Waits for the tests of 4f1c2aa in staging.` */
  text: z.string(),
  /** Says in a sentence what a person does about it. */
  nextStep: z.string().nullable(),
})

export type GateReason = z.output<typeof gateReason>

/** Describes the answer to one deployment that asked whether it may go on. */
export const gateDecision = z
  .object({
    id: id('gdc'),
    state: z.enum(gateStates),
    repository: z.string(),
    sha: z.string(),
    ref: z.string().nullable(),
    /** Holds the name at the code host. */
    hostEnvironment: z.string(),
    environmentId: id('env').nullable(),
    environment: z.string().nullable(),
    /** Holds the run that asked. */
    run: z.object({ id: z.string(), attempt: z.number().int(), url: z.string().nullable() }),
    /** Names how it asked: by a rule of the code host’s environment, or by a step of the pipeline. */
    via: z.enum(['rule', 'step']),
    reasons: z.array(gateReason),
    /** Says what it waits or has waited for, after *Waits for*. Example: `tests of 4f1c2aa in staging`. `null`: nothing. */
    waitedFor: z.string().nullable(),
    approvals: z.array(z.object({ member: author, at: time, comment: z.string().nullable() })),
    /** Holds the deployment that it was for, once it is known. */
    deploymentId: id('dep').nullable(),
    askedAt: time,
    decidedAt: time.nullable(),
    /** Names who let it go on, or refused it. `null`: its rules decided. */
    decidedBy: author.nullable(),
    comment: z.string().nullable(),
    /** Says whether the code host has the answer. `given_up`: it refused the answer, which `detail` explains. */
    answer: z.object({
      state: z.enum(['none', 'waiting', 'sent', 'given_up']),
      detail: z.string().nullable(),
    }),
    /** Says what the caller may do. */
    may: z.object({ approve: z.boolean(), override: z.boolean(), refuse: z.boolean() }),
  })
  .meta({ id: 'GateDecision' })
export type GateDecision = z.output<typeof gateDecision>

/** Describes that nothing is deployed to an environment for a while. */
export const environmentFreeze = z
  .object({
    environmentId: id('env'),
    until: time,
    reason: z.string(),
    frozenBy: author,
    frozenAt: time,
  })
  .meta({ id: 'EnvironmentFreeze' })

const gateBody = z.strictObject({
  name: givenDisplayName,
  environmentIds: z.array(id('env')).min(1).max(50),
  repositories: z.array(repositoryName).max(100),
  mode: z.enum(['enforce', 'watch']),
  rules: z.array(gateRule).min(1).max(20),
})

/** Describes the whole hash of a commit: tests and definitions are found by it. */
const wholeSha = commitSha.min(40, 'Use the whole hash of the commit.')
const gates = `${org}/gates` as const
const decisions = `${org}/gate-decisions` as const
const decision = `${decisions}/{decision_id}` as const
const withComment = z.strictObject({ comment: comment.trim().min(1) })

export const gateEndpoints = declareEndpoints({ tag: 'Gates', topics: ['gate'] })({
  listGates: {
    method: 'GET',
    path: gates,
    summary: 'What deployments wait for.',
    access: viewerOrKey,
    agents: 'read',
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(gate) },
    topics: ['gate', 'environment'],
    problems: ['invalid_cursor'],
  },
  createGate: {
    method: 'POST',
    path: gates,
    summary: 'Let deployments to some environments wait.',
    access: admin,
    body: gateBody,
    response: { status: 201, body: gate },
    problems: ['already_exists', 'quota_exceeded'],
  },
  updateGate: {
    method: 'PUT',
    path: `${gates}/{gate_id}`,
    summary: 'Change a gate. Deployments that wait are judged again.',
    access: admin,
    body: gateBody.extend({ revision: z.number().int() }),
    response: { status: 200, body: gate },
    problems: ['already_exists', 'revision_mismatch'],
  },
  deleteGate: {
    method: 'DELETE',
    path: `${gates}/{gate_id}`,
    summary: 'Delete a gate. Deployments that wait for it alone go on.',
    access: admin,
    response: { status: 204 },
  },
  askGate: {
    method: 'POST',
    path: `${org}/gate`,
    summary:
      'Ask whether a deployment may go on. Asking again gives the same decision, as it stands then.',
    description:
      'Takes a server key that reaches the environment, or the token that a code host makes for a pipeline. With such a token, repository, commit, run and attempt come from the token; others in the body are refused.',
    access: open,
    body: z.strictObject({
      /** Names the environment at the code host, or ours. */
      environment: z.string().min(1).max(255),
      repository: repositoryName.optional(),
      sha: wholeSha.optional(),
      ref: z.string().min(1).max(255).optional(),
      run: z.string().min(1).max(100).optional(),
      attempt: z.number().int().min(1).max(100_000).optional(),
      url: z
        .url({ protocol: /^https?$/ })
        .max(2000)
        .optional(),
    }),
    response: { status: 200, body: gateDecision },
    topics: ['gate', 'deployment'],
    problems: [
      'invalid_credentials',
      'missing_credentials',
      'expired_credentials',
      'network_forbidden',
      'key_read_only',
      'conflict',
      'quota_exceeded',
      'provider_error',
    ],
  },
  listGateDecisions: {
    method: 'GET',
    path: decisions,
    summary: 'Which deployments asked, newest first.',
    access: viewerOrKey,
    agents: 'read',
    query: z.strictObject({
      state: z.enum(gateStates).optional(),
      environmentId: id('env').optional(),
      repository: repositoryName.optional(),
      sha: commitSha.optional(),
      deploymentId: id('dep').optional(),
      ...pageQuery,
    }),
    response: { status: 200, body: page(gateDecision) },
    topics: ['gate', 'environment', 'deployment'],
    problems: ['invalid_cursor'],
  },
  getGateDecision: {
    method: 'GET',
    path: decision,
    summary: 'One decision, with what it waits for.',
    access: viewerOrKey,
    agents: 'read',
    response: { status: 200, body: gateDecision },
    topics: ['gate', 'environment', 'deployment'],
  },
  approveGateDecision: {
    method: 'POST',
    path: `${decision}/approve`,
    summary: 'Approve a deployment that waits for people.',
    access: developer,
    body: z.strictObject({ comment: comment.optional() }),
    response: { status: 200, body: gateDecision },
    problems: ['conflict', 'role_forbidden', 'session_required'],
  },
  overrideGateDecision: {
    method: 'POST',
    path: `${decision}/override`,
    summary: 'Let a deployment go on although its rules are not met.',
    access: admin,
    stepUp: true,
    body: withComment,
    response: { status: 200, body: gateDecision },
    problems: ['conflict', 'step_up_required', 'session_required'],
  },
  refuseGateDecision: {
    method: 'POST',
    path: `${decision}/refuse`,
    summary: 'End a deployment that waits.',
    access: admin,
    body: withComment,
    response: { status: 200, body: gateDecision },
    problems: ['conflict', 'session_required'],
  },
  listFreezes: {
    method: 'GET',
    path: `${org}/freezes`,
    summary: 'The environments that are frozen now.',
    access: viewer,
    query: z.strictObject({}),
    response: { status: 200, body: z.object({ items: z.array(environmentFreeze) }) },
    topics: ['gate', 'environment'],
  },
  freezeEnvironment: {
    method: 'PUT',
    path: `${org}/environments/{environment_id}/freeze`,
    summary: 'Hold up every deployment to an environment that asks, until a time.',
    access: admin,
    body: z.strictObject({ until: givenTime, reason: comment.trim().min(1) }),
    response: { status: 200, body: environmentFreeze },
  },
  endFreeze: {
    method: 'DELETE',
    path: `${org}/environments/{environment_id}/freeze`,
    summary: 'Let deployments to an environment go on.',
    access: admin,
    response: { status: 204 },
  },
})
