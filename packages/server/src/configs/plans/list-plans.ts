import { activePlanStates, limits, Problem, type PlanState } from '@signalbox/contract'
import type { PlanStep, RolloutPlan } from '@signalbox/contract/rest'
import { newId } from '../../crypto/ids.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import { may } from '@signalbox/contract'
import { requireReach, wildcardId, type Caller } from '../../config-model/caller.ts'
import { recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import { isReached } from '../proofs/list-proofs.ts'
import { listSchemaRows } from '../schemas/schema-rows.ts'
import {
  deleteTemplateRow,
  findPlanRow,
  insertTemplateRow,
  listStepProofs,
  pagePlanRows,
  pageTemplateRows,
  type PlanFilter,
  type StepProof,
  type TemplateRow,
} from './plan-rows.ts'
import { canPress, type PlanButton, type PlanRow } from './plan.ts'

/** Holds a plan with what is shown beside it. */
export interface PlanView {
  readonly plan: PlanRow
  readonly proofs: ReadonlyMap<string, StepProof>
  readonly environments: ReadonlyMap<string, string>
  readonly schemas: ReadonlyMap<string, string>
}

interface ListPlans extends Omit<PlanFilter, 'states' | 'environmentIds' | 'schemaIds'> {
  readonly state: PlanState | 'active' | undefined
  readonly below: string | null
  readonly limit: number
}

/** Lists the plans that a caller may know of, newest first. */
export async function listPlans(
  { store }: Pick<ConfigDeps, 'store'>,
  caller: Caller,
  { state, ...filter }: ListPlans,
): Promise<PlanView[]> {
  const { orgId, environmentIds, schemaIds } = caller
  const states = state === 'active' ? activePlanStates : state && [state]
  return store.transaction(caller.scope, async (tx) => {
    const of = { ...filter, states: states ?? null, environmentIds, schemaIds }
    return viewPlans(tx, orgId, await pagePlanRows(tx, orgId, of))
  })
}

/** Returns a plan. @throws {Problem} `not_found` */
export async function getPlan(tx: Tx, caller: Caller, id: string): Promise<PlanView> {
  const row = await findPlanRow(tx, caller.orgId, { id })
  const [view] =
    row !== undefined && isReached(caller, row) ? await viewPlans(tx, caller.orgId, [row]) : []
  if (view === undefined) throw notFound()
  return view
}

async function viewPlans(tx: Tx, orgId: string, rows: readonly PlanRow[]): Promise<PlanView[]> {
  if (rows.length === 0) return []
  const ids = rows.flatMap(({ steps }) => steps.flatMap(({ versionId }) => versionId ?? []))
  const proofs = new Map(
    (await listStepProofs(tx, orgId, ids)).map((proof) => [proof.versionId, proof]),
  )
  const environments = new Map(
    (await listEnvironmentRows(tx, orgId)).map(({ id, name }) => [id, name]),
  )
  const schemas = new Map((await listSchemaRows(tx, orgId)).map(({ id, name }) => [id, name]))
  return rows.map((plan) => ({ plan, proofs, environments, schemas }))
}

/** Returns a plan as the API answers it. */
export function presentPlan(
  { plan, proofs, environments, schemas }: PlanView,
  caller: Caller,
): RolloutPlan {
  const { schemaId, environmentId } = plan
  const mayWrite = may(caller.permissions, 'writeValues', { schemaId, environmentId })
  const can = (button: PlanButton) => mayWrite && canPress(plan, button)
  return {
    id: plan.id,
    state: plan.state,
    schemaId,
    schema: schemas.get(schemaId) ?? '',
    environmentId,
    environment: environments.get(environmentId) ?? '',
    flag: plan.flag,
    rule: plan.ruleId,
    steps: plan.steps.map(({ percent, holdMinutes, approve = false, signals, ...step }) => {
      const proof = proofs.get(step.versionId ?? '')
      return {
        percent,
        holdMinutes,
        approve,
        signals: signals ?? null,
        at: step.at,
        versionId: step.versionId,
        proof: proof === undefined ? null : { id: proof.id, state: proof.state },
      }
    }),
    position: plan.position,
    nextAt: plan.state === 'running' ? plan.nextAt.toISOString() : null,
    startPercent: plan.startPercent,
    prove: plan.prove,
    reason: plan.reason,
    author: { type: plan.author.type, id: plan.author.id, name: plan.author.name },
    may: {
      pause: can('pause'),
      resume: can('resume'),
      next: can('next'),
      back: can('back'),
      stop: can('stop'),
      restore: can('restore'),
    },
    createdAt: plan.createdAt.toISOString(),
    updatedAt: plan.updatedAt.toISOString(),
    endedAt: plan.endedAt?.toISOString() ?? null,
  }
}

/** Lists release templates, by name. */
export async function listTemplates(
  { store }: Pick<ConfigDeps, 'store'>,
  { orgId, scope }: Caller,
  page: { readonly after: string; readonly limit: number },
): Promise<TemplateRow[]> {
  return store.transaction(scope, (tx) => pageTemplateRows(tx, orgId, page))
}

/** Keeps steps under a name. @throws {Problem} `already_exists`, `quota_exceeded` */
export async function createTemplate(
  { store, now }: Pick<ConfigDeps, 'store' | 'now'>,
  caller: Caller,
  { name, steps }: { readonly name: string; readonly steps: readonly PlanStep[] },
): Promise<TemplateRow> {
  const { orgId, scope } = caller
  requireReach(caller, 'writeValues', { environmentId: wildcardId, schemaId: wildcardId })
  return store.transaction(scope, async (tx) => {
    const most = limits.releaseTemplatesPerOrganization
    const all = await pageTemplateRows(tx, orgId, { after: '', limit: most })
    if (all.length >= most)
      throw new Problem('quota_exceeded', `An organization has at most ${most} release templates.`)
    const createdAt = now()
    const row = { id: newId('rtp', createdAt), name, steps, createdAt }
    if (!(await insertTemplateRow(tx, orgId, row))) {
      const detail = `There is a template ${name} already. Choose another name.`
      const errors = [{ pointer: '/name', code: 'already_exists' as const, detail }]
      throw new Problem('already_exists', detail, { errors })
    }
    const target = { type: 'release_template', id: row.id, name }
    recordConfigEvent(tx, caller, { action: 'release_template.created', target, detail: {} })
    return row
  })
}

/** Deletes a release template. @throws {Problem} `not_found` */
export async function deleteTemplate(
  { store }: Pick<ConfigDeps, 'store'>,
  caller: Caller,
  id: string,
): Promise<void> {
  requireReach(caller, 'writeValues', { environmentId: wildcardId, schemaId: wildcardId })
  await store.transaction(caller.scope, async (tx) => {
    const name = await deleteTemplateRow(tx, caller.orgId, id)
    if (name === undefined) throw notFound()
    const target = { type: 'release_template', id, name }
    recordConfigEvent(tx, caller, { action: 'release_template.deleted', target, detail: {} })
  })
}
