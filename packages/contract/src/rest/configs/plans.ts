import { z } from 'zod/v4'
import { limits } from '../../limits.ts'
import { planReasons, planStates } from '../../changes/plans.ts'
import { proofStates } from '../../changes/proofs.ts'
import { org, valueWriter, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { author, givenDisplayName, id, page, pageQuery, time } from '../shapes.ts'
import { confirmationFields, protectionProblems } from './protection.ts'
import { proofTerms } from './shapes.ts'

const percent = z.number().min(0).max(100).multipleOf(0.001)

const step = z.strictObject({
  percent,
  /** Says how long it holds before the next step. */
  holdMinutes: z.number().int().min(0).max(43_200),
  /** Says that somebody who approves changes of the environment lets this step begin. */
  approve: z.boolean().optional(),
  /** Names the signals of this step, in place of those of `prove`. */
  signals: z.array(id('sig')).min(1).max(limits.signalsPerProof).optional(),
})
export type PlanStep = z.output<typeof step>

const steps = z
  .array(step)
  .min(1)
  .max(limits.stepsPerPlan)
  .refine(
    (list) => list.every(({ percent: is }, at) => at === 0 || is > (list[at - 1]?.percent ?? 0)),
    'Each step serves more than the one before.',
  )
  .refine(([first]) => first?.approve !== true, {
    path: [0, 'approve'],
    error: 'The first step begins with the plan, so it waits for nobody.',
  })

const stepOfPlan = z.object({
  percent,
  holdMinutes: z.number().int(),
  approve: z.boolean(),
  signals: z.array(id('sig')).nullable(),
  /** Holds when it began last. Null: not yet. */
  at: time.nullable(),
  versionId: id('ver').nullable(),
  proof: z.object({ id: id('prf'), state: z.enum(proofStates) }).nullable(),
})

/** Describes a rollout in steps. */
const plan = z
  .object({
    id: id('pln'),
    state: z.enum(planStates),
    schemaId: id('sch'),
    schema: z.string(),
    environmentId: id('env'),
    environment: z.string(),
    flag: z.string(),
    /** Names the rule whose share grows. */
    rule: id('rul'),
    steps: z.array(stepOfPlan),
    /** Holds the position of the step that is live, from 0. */
    position: z.number().int(),
    /** Holds when the next step may begin. Null: it is not running. */
    nextAt: time.nullable(),
    /** Holds the share before the plan. Null: the plan has made the rule. */
    startPercent: percent.nullable(),
    prove: proofTerms.nullable(),
    /** Says why it is paused, or has ended early. */
    reason: z.object({ code: z.enum(planReasons), detail: z.string() }).nullable(),
    author,
    /** Says what the caller may do with it now. */
    may: z.object({
      pause: z.boolean(),
      resume: z.boolean(),
      next: z.boolean(),
      back: z.boolean(),
      stop: z.boolean(),
      restore: z.boolean(),
    }),
    createdAt: time,
    updatedAt: time,
    endedAt: time.nullable(),
  })
  .meta({ id: 'RolloutPlan' })
export interface RolloutPlan extends z.output<typeof plan> {}
export const rolloutPlan: z.ZodType<RolloutPlan, RolloutPlan> = plan

const template = z
  .object({
    id: id('rtp'),
    name: z.string(),
    steps: z.array(step),
    createdAt: time,
  })
  .meta({ id: 'ReleaseTemplate' })

const plans = `${org}/rollout-plans` as const
const one = `${plans}/{plan_id}` as const
const templates = `${org}/release-templates` as const
const answer = { status: 200, body: rolloutPlan } as const

const button = {
  method: 'POST',
  access: valueWriter,
  response: answer,
  topics: ['plan', 'configuration'],
  problems: ['conflict', 'own_request', 'session_required'],
} as const

export const planEndpoints = declareEndpoints({ tag: 'Rollout plans', topics: ['plan'] })({
  createRolloutPlan: {
    method: 'POST',
    path: plans,
    summary: 'Roll a flag out in steps. The first one begins immediately.',
    description:
      'Each step is a version of its own by "Plan of Ada", with its proof. The next one begins when the hold is over and the proof is proven; after an outage one at a time. The approval of the plan is that of its steps.',
    access: valueWriter,
    body: z.strictObject({
      schemaId: id('sch'),
      environmentId: id('env'),
      flag: z.string().min(1).max(128),
      /** Names the rule whose share grows. Left out: the only one that serves a share, or a new one. */
      rule: id('rul').optional(),
      steps,
      prove: proofTerms.optional(),
      ...confirmationFields,
    }),
    response: { status: 201, body: rolloutPlan },
    topics: ['plan', 'configuration'],
    problems: [
      'unknown_key',
      'type_mismatch',
      'already_exists',
      'quota_exceeded',
      'key_scope_forbidden',
      ...protectionProblems,
    ],
  },
  listRolloutPlans: {
    method: 'GET',
    path: plans,
    summary: 'The rollout plans, newest first.',
    access: viewerOrKey,
    agents: 'read',
    query: z.strictObject({
      state: z.enum([...planStates, 'active']).optional(),
      environment: id('env').optional(),
      schema: id('sch').optional(),
      flag: z.string().max(128).optional(),
      ...pageQuery,
    }),
    response: { status: 200, body: page(rolloutPlan) },
    topics: ['plan', 'proof', 'environment', 'schema'],
    problems: ['invalid_cursor'],
  },
  getRolloutPlan: {
    method: 'GET',
    path: one,
    summary: 'One rollout plan.',
    access: viewerOrKey,
    agents: 'read',
    response: answer,
    topics: ['plan', 'proof', 'environment', 'schema'],
  },
  pauseRolloutPlan: {
    ...button,
    path: `${one}/pause`,
    summary: 'Pause a plan. Its step stays.',
  },
  resumeRolloutPlan: {
    ...button,
    path: `${one}/resume`,
    summary: 'Resume a plan: its step begins again, with its whole hold.',
  },
  advanceRolloutPlan: {
    ...button,
    path: `${one}/next`,
    summary: 'Begin the next step now. Where it needs an approval, this is the approval.',
  },
  returnRolloutPlan: {
    ...button,
    path: `${one}/back`,
    summary: 'Go back one step, and pause.',
  },
  stopRolloutPlan: {
    ...button,
    path: `${one}/stop`,
    summary: 'End a plan. Its step stays.',
  },
  restoreRolloutPlan: {
    ...button,
    path: `${one}/restore`,
    summary: 'End a plan, and serve the share from before it.',
  },
  createReleaseTemplate: {
    method: 'POST',
    path: templates,
    summary: 'Keep steps under a name.',
    access: valueWriter,
    body: z.strictObject({ name: givenDisplayName, steps }),
    response: { status: 201, body: template },
    problems: ['already_exists', 'quota_exceeded'],
  },
  listReleaseTemplates: {
    method: 'GET',
    path: templates,
    summary: 'The release templates, by name.',
    access: viewerOrKey,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(template) },
    problems: ['invalid_cursor'],
  },
  deleteReleaseTemplate: {
    method: 'DELETE',
    path: `${templates}/{template_id}`,
    summary: 'Delete a release template. Plans that were made of it stay.',
    access: valueWriter,
    response: { status: 204 },
  },
})
