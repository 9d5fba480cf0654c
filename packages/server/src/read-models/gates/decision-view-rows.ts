import type { GateReason, GateState } from '@signalbox/contract/rest'
import type { Author } from '../../audit/audit-event.ts'
import type { Tx } from '../../store/store.ts'

/** Describes a decision with the names that people read. */
export interface DecisionViewRow {
  readonly id: string
  readonly state: GateState
  readonly repository: string
  readonly sha: string
  readonly ref: string | null
  readonly hostEnvironment: string
  readonly environmentId: string | null
  readonly environment: string | null
  readonly runId: string
  readonly attempt: number
  readonly runUrl: string | null
  readonly via: 'rule' | 'step'
  readonly reasons: GateReason[]
  readonly waitedFor: string | null
  readonly approvals: {
    readonly userId: string
    readonly name: string
    readonly at: string
    readonly comment: string | null
  }[]
  readonly deploymentId: string | null
  readonly askedAt: Date
  readonly decidedAt: Date | null
  readonly decidedBy: Author | null
  readonly comment: string | null
  readonly answerState: 'none' | 'waiting' | 'sent' | 'given_up'
  readonly answerDetail: string | null
}

/** Finds the deployment of a decision `g`: by the code host's id, else by the run that made it. */
const deploymentOf = `(select d.id from deployments d where d.org_id = g.org_id and d.repository_id = g.repository_id
  and case when g.host_deployment_id is null then d.run_id = g.run_id || '/' || g.attempt and d.host_key = g.name_key
    else d.external_id = g.host_deployment_id end
  order by d.created_at desc limit 1)`

const columns = `g.id, g.state, r.full_name as repository, g.sha, g.ref, g.host_environment as "hostEnvironment",
  g.environment_id as "environmentId", e.name as environment, g.run_id as "runId", g.attempt, g.run_url as "runUrl", g.via,
  g.reasons, g.waited_for as "waitedFor",
  (select coalesce(json_agg(json_build_object('userId', a.user_id, 'name', a.name, 'at', a.at, 'comment', a.comment)
      order by a.at), '[]')
    from gate_approvals a where a.org_id = g.org_id and a.decision_id = g.id) as approvals,
  ${deploymentOf} as "deploymentId", g.asked_at as "askedAt", g.decided_at as "decidedAt", g.decided_by as "decidedBy", g.comment,
  g.answer_state as "answerState", g.answer_detail as "answerDetail"`

const tables = `gate_decisions g join repositories r on r.org_id = g.org_id and r.id = g.repository_id
  left join environments e on e.org_id = g.org_id and e.id = g.environment_id`

/** Finds a decision by its id. */
export async function findDecisionView(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<DecisionViewRow | undefined> {
  const [row] = await tx.query<DecisionViewRow>({
    name: 'find-decision-view',
    text: `select ${columns} from ${tables} where g.org_id = $1 and g.id = $2`,
    values: [orgId, id],
  })
  return row
}

/** Narrows a list of decisions. `null`: any. */
export interface DecisionFilter {
  readonly state: GateState | null
  readonly environmentId: string | null
  readonly repository: string | null
  readonly sha: string | null
  readonly deploymentId: string | null
  /** Lists the environments that the caller may know of. */
  readonly environmentIds: readonly string[] | null
}

/** Lists a page of decisions below an id, newest first. */
export async function pageDecisionViews(
  tx: Tx,
  orgId: string,
  filter: DecisionFilter & { readonly below: string | null; readonly limit: number },
): Promise<DecisionViewRow[]> {
  return tx.query<DecisionViewRow>({
    name: '',
    text: `select ${columns} from ${tables} where g.org_id = $1
      and ($2::text is null or g.state = $2) and ($3::text is null or g.environment_id = $3)
      and ($4::text is null or lower(r.full_name) = lower($4)) and ($5::text is null or starts_with(g.sha, $5))
      and ($6::text is null or ${deploymentOf} = $6)
      and ($7::text[] is null or g.environment_id = any ($7)) and ($8::text is null or g.id < $8)
      order by g.id desc limit $9`,
    values: [
      orgId,
      filter.state,
      filter.environmentId,
      filter.repository,
      filter.sha,
      filter.deploymentId,
      filter.environmentIds,
      filter.below,
      filter.limit,
    ],
  })
}

/**
 * Finds the newest decision of a deployment: of its id at the code host or of its run, else of its commit in its environment. A later
 * one of the same commit may be for another deployment.
 */
export async function findDecisionOfDeployment(
  tx: Tx,
  orgId: string,
  deploymentId: string,
): Promise<DecisionViewRow | undefined> {
  const [row] = await tx.query<DecisionViewRow>({
    name: 'find-decision-of-deployment',
    text: `select ${columns} from deployments o
      join gate_decisions g on g.org_id = o.org_id and g.repository_id = o.repository_id and g.sha = o.sha
      join repositories r on r.org_id = g.org_id and r.id = g.repository_id
      left join environments e on e.org_id = g.org_id and e.id = g.environment_id
      where o.org_id = $1 and o.id = $2 and case when g.host_deployment_id is not null then g.host_deployment_id = o.external_id
        when o.run_id is not null and o.run_id = g.run_id || '/' || g.attempt then g.name_key = o.host_key
        else (g.name_key = o.host_key or g.environment_id = o.environment_id)
          and g.asked_at < coalesce(o.finished_at, 'infinity') end
      order by coalesce(g.host_deployment_id = o.external_id, false) desc, g.asked_at desc, g.id desc limit 1`,
    values: [orgId, deploymentId],
  })
  return row
}
