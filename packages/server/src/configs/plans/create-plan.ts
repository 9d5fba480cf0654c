import {
  isTurnedOff,
  limits,
  Problem,
  type FlagRule,
  type ProblemCode,
  type ProofTerms,
} from '@signalbox/contract'
import type { PlanStep } from '@signalbox/contract/rest'
import { deriveId, newId } from '../../crypto/ids.ts'
import { describeUnknown, nameIds, requireKnownIds } from '../../http/input/known-ids.ts'
import type { Tx } from '../../store/store.ts'
import { requireReach, type Caller } from '../../config-model/caller.ts'
import { requireProtection } from '../../config-model/approval-check.ts'
import type { Confirmation } from '../../config-model/confirmation.ts'
import { toSide, type Effect } from '../../config-model/effects.ts'
import { isFlag } from '../../config-model/definition.ts'
import { descendantsOf } from '../../config-model/environment-tree.ts'
import { getCurrentValues } from '../../config-model/current-values.ts'
import { resolveValues } from '../../config-model/resolve-values.ts'
import { commit, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { listSignalRows } from '../signals/signal-rows.ts'
import type { WriteContext } from '../values/write-values.ts'
import { getPlan, type PlanView } from './list-plans.ts'
import { pagePlanRows, savePlanRow } from './plan-rows.ts'
import { shareOf, termsOf, withPercent, type PlanRow } from './plan.ts'
import { asPlan, lockFlag, writeRules } from './write-step.ts'

/** Describes a plan to make. */
export interface CreatePlan {
  readonly schemaId: string
  readonly environmentId: string
  readonly flag: string
  readonly rule?: string | undefined
  readonly steps: readonly PlanStep[]
  readonly prove?: ProofTerms | undefined
  readonly confirmation: Confirmation
}

/**
 * Makes a plan, and begins its first step. What it needs approvals for is its last step: a first one that changes nothing hides
 * nothing.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `unknown_key`, `type_mismatch`, `validation_failed`, `already_exists` where the
 * flag has a plan there, and what a write of its rules is refused with
 */
export async function createPlan(
  deps: ConfigDeps,
  caller: Caller,
  create: CreatePlan,
): Promise<PlanView> {
  const { orgId } = caller
  const { confirmation } = create
  requireReach(caller, 'writeValues', create)
  return commit(deps, caller, async (tx) => {
    const { context, rules } = await lockFlag(deps, tx, orgId, create)
    requireFlag(context, create)
    if (isTurnedOff(rules)) throw refuse('validation_failed', '/flag', turnedOff)
    await requireSignals(tx, orgId, create)
    await requireOnly(tx, orgId, create)
    const now = deps.now()
    const target = chooseRule(rules, create)
    const { writerIds } = deps.approvalCheck
    const author = { ...caller.author, ...(writerIds.length > 0 && { writerIds }) }
    const plan = newPlan({ create, target, context, author, now })
    const share = (percent = 0) => withPercent(target.rules, target.ruleId, percent)
    const [first] = create.steps
    const asItself = { ...caller, author: asPlan(orgId, plan).author }
    const written = await writeRules(deps, tx, asItself, {
      plan,
      write: {
        rules: share(first?.percent),
        confirm: confirmation.confirm,
        comment: confirmation.comment ?? describeStep(plan, 0),
        prove: termsOf(plan, first ?? {}),
      },
    })
    requireProtection(deps, {
      policies: context.policies,
      environmentIds: [create.environmentId],
      confirmation,
      effects: listEffects(context, create, JSON.stringify(share(create.steps.at(-1)?.percent))),
    })
    await savePlanRow(tx, orgId, beginStep(plan, { position: 0, ...written }, now))
    recordCreation(tx, caller, plan)
    return getPlan(tx, caller, plan.id)
  })
}

function recordCreation(tx: Tx, caller: Caller, plan: PlanRow): void {
  const { id, flag, schemaId, environmentId, steps } = plan
  recordConfigEvent(tx, caller, {
    action: 'plan.created',
    target: { type: 'plan', id, name: flag },
    detail: { schemaId, environmentId, steps: steps.map(({ percent }) => percent) },
  })
}

interface NewPlan {
  readonly create: CreatePlan
  readonly target: ChosenRule
  readonly context: WriteContext
  readonly author: PlanRow['author']
  readonly now: Date
}

function newPlan({ create, target, context, author, now }: NewPlan): PlanRow {
  const { schemaId, environmentId, flag, steps, prove = null } = create
  const { policies } = context
  return {
    id: newId('pln', now),
    schemaId,
    environmentId,
    flag,
    ruleId: target.ruleId,
    steps: steps.map((step) => ({ ...step, at: null, versionId: null })),
    position: 0,
    state: 'running',
    nextAt: now,
    versionId: null,
    startPercent: target.startPercent,
    prove,
    covered: Object.fromEntries(
      listReached(context, create).map((id) => [id, policies.get(id)?.protection.approvals ?? 0]),
    ),
    reason: null,
    author,
    createdAt: now,
    updatedAt: now,
    endedAt: null,
  }
}

const minuteMs = 60_000

/** Returns a plan whose step at a position has begun. */
export function beginStep(
  plan: PlanRow,
  step: {
    readonly position: number
    readonly versionId: string | null
  },
  now: Date,
): PlanRow {
  const { position, ...written } = step
  const holdMs = (plan.steps[position]?.holdMinutes ?? 0) * minuteMs
  const at = now.toISOString()
  return {
    ...plan,
    position,
    state: 'running',
    reason: null,
    nextAt: new Date(now.getTime() + holdMs),
    versionId: written.versionId,
    steps: plan.steps.map((each, index) =>
      index === position ? { ...each, ...written, at } : each,
    ),
    updatedAt: now,
  }
}

/** Returns the comment of the version of a step. Example: `Step 2 of 4 of the rollout of newCheckout: 25%`. */
export function describeStep({ steps, flag }: Pick<PlanRow, 'steps' | 'flag'>, position: number) {
  return `Step ${position + 1} of ${steps.length} of the rollout of ${flag}: ${steps[position]?.percent ?? 0}%`
}

function refuse(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, detail, { errors: [{ pointer, code, detail }] })
}

function requireFlag(
  { state }: WriteContext,
  { environmentId, flag }: Pick<CreatePlan, 'environmentId' | 'flag'>,
): void {
  const rule = state.schema.definition.get(flag)
  if (rule === undefined)
    throw refuse('unknown_key', '/flag', `There is no flag ${flag} in the schema.`)
  if (!isFlag(rule) || rule.type !== 'boolean') {
    const detail = 'A rollout is of a flag that is on or off. Choose one of the type boolean.'
    throw refuse('type_mismatch', '/flag', detail)
  }
  const isSet = getCurrentValues(state, environmentId).openValues[flag] !== undefined
  if (isSet) return
  const detail =
    'The environment inherits this flag. Set it there first, or roll it out where it is set.'
  throw refuse('validation_failed', '/environmentId', detail)
}

/** Says why no step begins while a kill switch has turned the flag off. */
export const turnedOff =
  'The flag is turned off there, so no step would change anything. Turn it on first.'

async function requireSignals(tx: Tx, orgId: string, { steps, prove }: CreatePlan): Promise<void> {
  const named = [
    ...nameIds(['prove', 'signals'], prove?.signals ?? []),
    ...steps.flatMap(({ signals = [] }, at) => nameIds(['steps', at, 'signals'], signals)),
  ]
  if (named.length === 0) return
  const rows = await listSignalRows(
    tx,
    orgId,
    named.flatMap(({ id }) => id ?? []),
  )
  const known = new Set(rows.map(({ id }) => id))
  requireKnownIds({ named, known, detail: describeUnknown('signal') })
}

async function requireOnly(
  tx: Tx,
  orgId: string,
  { schemaId, environmentId, flag }: CreatePlan,
): Promise<void> {
  const none = { environmentIds: null, schemaIds: null, below: null, limit: limits.pageItems }
  const states = ['running', 'paused', 'waiting']
  const active = await pagePlanRows(tx, orgId, { ...none, states, environmentId, schemaId, flag })
  if (active.length === 0) return
  const detail = `A plan of ${flag} is under way there. End it first.`
  throw refuse('already_exists', '/flag', detail)
}

interface ChosenRule {
  readonly ruleId: string
  readonly startPercent: number | null
  readonly rules: readonly FlagRule[]
}

/** Returns the rule whose share grows: the named one, the only one that serves a share, or a new one after the others. */
function chooseRule(
  rules: readonly FlagRule[],
  { rule: named, ...of }: Pick<CreatePlan, 'rule' | 'schemaId' | 'environmentId' | 'flag'>,
): ChosenRule {
  const shares = rules.filter((rule) => shareOf(rule) !== undefined)
  const candidates = named === undefined ? shares : shares.filter(({ id }) => id === named)
  const [only, ...others] = candidates
  if (named !== undefined && only === undefined) {
    const detail = 'The flag has no rule with this id that serves a share, such as 10%.'
    throw refuse('validation_failed', '/rule', detail)
  }
  if (others.length > 0) {
    const ids = candidates.map(({ id }) => id).join(', ')
    const detail = `Several rules of the flag serve a share. Name one in "rule": ${ids}.`
    throw refuse('validation_failed', '/rule', detail)
  }
  if (only?.id === undefined) {
    // The same whenever it is planned, so that what is applied is what people have approved.
    const known = rules.map(({ id }) => id)
    const ruleId = deriveId('rul', [of.schemaId, of.environmentId, of.flag, ...known].join())
    const rule: FlagRule = { id: ruleId, when: [], serve: { percent: 0 } }
    return { ruleId, startPercent: null, rules: [...rules, rule] }
  }
  return { ruleId: only.id, startPercent: shareOf(only) ?? 0, rules }
}

/** Returns the environment of a plan and those that inherit its flag from there. */
function listReached(
  { state }: WriteContext,
  { environmentId, flag }: Pick<CreatePlan, 'environmentId' | 'flag'>,
): string[] {
  const below = descendantsOf(state.tree, environmentId).map(({ id }) => id)
  return [environmentId, ...below].filter(
    (id) => resolveValues(state, id).get(flag)?.environmentId === environmentId,
  )
}

/** Returns what the last step changes, in the environment and in those that inherit the flag from it. */
function listEffects(context: WriteContext, create: CreatePlan, rulesAfter: string): Effect[] {
  const { state } = context
  const { schemaId, flag } = create
  return listReached(context, create).map((id) => {
    const resolved = resolveValues(state, id).get(flag)
    return {
      environmentId: id,
      environment: state.tree.get(id)?.name ?? '',
      schemaId,
      schema: state.schema.name,
      key: flag,
      tier: 'featureFlags',
      before: toSide(resolved, false, state.segments),
      after: toSide(resolved && { ...resolved, rules: rulesAfter }, false, state.segments),
      source: { source: 'set' },
    }
  })
}
