import type { ProofState } from '@signalbox/contract'
import type { PlanStep } from '@signalbox/contract/rest'
import type { Tx } from '../../store/store.ts'
import type { PlanRow } from './plan.ts'

const columns = `id, schema_id as "schemaId", environment_id as "environmentId", flag, rule_id as "ruleId", steps, position, state,
  next_at as "nextAt", version_id as "versionId", start_percent as "startPercent", prove, covered, reason, author,
  created_at as "createdAt", updated_at as "updatedAt", ended_at as "endedAt"`

/** Adds a plan, or replaces what changes of the one with its id. */
export async function savePlanRow(tx: Tx, orgId: string, row: PlanRow): Promise<void> {
  await tx.query({
    name: 'save-rollout-plan',
    text: `insert into rollout_plans (org_id, id, schema_id, environment_id, flag, rule_id, steps, position, state, next_at,
        version_id, start_percent, prove, covered, reason, author, created_at, updated_at, ended_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
      on conflict (org_id, id) do update set steps = excluded.steps, position = excluded.position, state = excluded.state,
        next_at = excluded.next_at, version_id = excluded.version_id, reason = excluded.reason, author = excluded.author,
        updated_at = excluded.updated_at, ended_at = excluded.ended_at`,
    values: [
      orgId,
      row.id,
      row.schemaId,
      row.environmentId,
      row.flag,
      row.ruleId,
      JSON.stringify(row.steps),
      row.position,
      row.state,
      row.nextAt,
      row.versionId,
      row.startPercent,
      row.prove && JSON.stringify(row.prove),
      JSON.stringify(row.covered),
      row.reason && JSON.stringify(row.reason),
      JSON.stringify(row.author),
      row.createdAt,
      row.updatedAt,
      row.endedAt,
    ],
  })
}

/** Finds a plan, and with `lock` holds it until the transaction ends. */
export async function findPlanRow(
  tx: Tx,
  orgId: string,
  { id, lock = false }: { readonly id: string; readonly lock?: boolean },
): Promise<PlanRow | undefined> {
  const [row] = await tx.query<PlanRow>({
    name: lock ? 'lock-rollout-plan' : 'find-rollout-plan',
    text: `select ${columns} from rollout_plans where org_id = $1 and id = $2 ${lock ? 'for update' : ''}`,
    values: [orgId, id],
  })
  return row
}

/** Narrows a list of plans. `null`: any. */
export interface PlanFilter {
  readonly states: readonly string[] | null
  readonly environmentId: string | null
  readonly schemaId: string | null
  readonly flag: string | null
  readonly environmentIds: readonly string[] | null
  readonly schemaIds: readonly string[] | null
}

/** Lists a page of plans below an id, newest first. */
export async function pagePlanRows(
  tx: Tx,
  orgId: string,
  filter: PlanFilter & { readonly below: string | null; readonly limit: number },
): Promise<PlanRow[]> {
  return tx.query<PlanRow>({
    name: '',
    text: `select ${columns} from rollout_plans where org_id = $1
      and ($2::text[] is null or state = any ($2)) and ($3::text is null or environment_id = $3)
      and ($4::text is null or schema_id = $4) and ($5::text is null or flag = $5)
      and ($6::text[] is null or environment_id = any ($6)) and ($7::text[] is null or schema_id = any ($7))
      and ($8::text is null or id < $8) order by id desc limit $9`,
    values: [
      orgId,
      filter.states,
      filter.environmentId,
      filter.schemaId,
      filter.flag,
      filter.environmentIds,
      filter.schemaIds,
      filter.below,
      filter.limit,
    ],
  })
}

/** Names a plan of an organization. */
export interface DuePlan {
  readonly orgId: string
  readonly id: string
}

/**
 * Lists running plans whose hold is over and whose proof does not go on, or whose proof has ended otherwise than proven; and paused
 * ones of which the proof has taken the step back.
 */
export async function listDuePlans(
  tx: Tx,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<DuePlan[]> {
  return tx.query<DuePlan>({
    name: 'list-due-rollout-plans',
    text: `select p.org_id as "orgId", p.id from rollout_plans p
      left join proofs f on f.org_id = p.org_id and f.version_id = p.version_id
      where p.state = 'running' and ((f.state not in ('watching', 'proven')) is true
        or (p.next_at <= $1 and f.state is distinct from 'watching'))
        or p.state = 'paused' and f.state = 'failed' and (f.restored_in <> '{}' or (f.reason ->> 'code' = 'origin') is true)
      order by p.next_at limit $2`,
    values: [now, limit],
  })
}

/** Describes how the watch over a step stands. */
export interface StepProof {
  readonly id: string
  readonly versionId: string
  readonly state: ProofState
  readonly isRestored: boolean
  readonly detail: string | null
}

/** Lists how the watches over the versions of some steps stand. */
export async function listStepProofs(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<StepProof[]> {
  return tx.query<StepProof>({
    name: 'list-step-proofs',
    text: `select id, version_id as "versionId", state, restored_in <> '{}' or (reason ->> 'code' = 'origin') is true as "isRestored",
      coalesce(not_restored ->> 'detail', reason ->> 'detail') as detail
      from proofs where org_id = $1 and version_id = any ($2::text[])`,
    values: [orgId, ids],
  })
}

/** Describes steps under a name. */
export interface TemplateRow {
  readonly id: string
  readonly name: string
  readonly steps: readonly PlanStep[]
  readonly createdAt: Date
}

/** Lists a page of templates after a name in small letters, by name. */
export async function pageTemplateRows(
  tx: Tx,
  orgId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<TemplateRow[]> {
  return tx.query<TemplateRow>({
    name: 'page-release-templates',
    text: `select id, name, steps, created_at as "createdAt" from release_templates
      where org_id = $1 and lower(name) > $2 order by lower(name) limit $3`,
    values: [orgId, after, limit],
  })
}

/** Adds a template. Returns whether its name was free. */
export async function insertTemplateRow(tx: Tx, orgId: string, row: TemplateRow): Promise<boolean> {
  const rows = await tx.query({
    name: 'insert-release-template',
    text: `insert into release_templates (org_id, id, name, steps, created_at) values ($1, $2, $3, $4, $5)
      on conflict do nothing returning 1`,
    values: [orgId, row.id, row.name, JSON.stringify(row.steps), row.createdAt],
  })
  return rows.length > 0
}

/** Deletes a template, and returns its name. */
export async function deleteTemplateRow(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>({
    name: 'delete-release-template',
    text: 'delete from release_templates where org_id = $1 and id = $2 returning name',
    values: [orgId, id],
  })
  return row?.name
}
