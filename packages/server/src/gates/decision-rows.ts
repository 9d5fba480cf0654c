import { dayMs, forgetSql, type RetentionRule } from '../store/retention-rule.ts'
import type { Tx } from '../store/store.ts'
import type { DecisionRow } from './gate.ts'

const columns = `id, repository_id as "repositoryId", sha, ref, is_fork as "isFork", host_environment as "hostEnvironment",
  environment_id as "environmentId", run_id as "runId", attempt, run_url as "runUrl", host_deployment_id as "hostDeploymentId",
  via, state, reasons, waited_for as "waitedFor", asked_at as "askedAt", heard_at as "heardAt", decided_at as "decidedAt",
  decided_by as "decidedBy", comment, answer_state as "answerState", answer_detail as "answerDetail", fence,
  comments_sent as "commentsSent", commented_at as "commentedAt", commented`

/** Names what asks: one run, in one attempt, for one environment at the code host. */
export type AskedFor = Pick<DecisionRow, 'repositoryId' | 'runId' | 'attempt' | 'hostEnvironment'>

/** Waits for whoever else asks for the same. */
export async function lockAsked(tx: Tx, orgId: string, of: AskedFor): Promise<void> {
  await tx.query({
    name: 'lock-asked-gate',
    text: `select pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'gate', $1::text, $2::text, $3::text, lower($4::text)), 0))`,
    values: [orgId, of.repositoryId, of.runId, of.hostEnvironment],
  })
}

/** Lists what was decided for a run and an environment, the newest attempt first, and holds it until the transaction ends. */
export async function lockDecisionsOfRun(
  tx: Tx,
  orgId: string,
  of: Omit<AskedFor, 'attempt'>,
): Promise<DecisionRow[]> {
  return tx.query<DecisionRow>({
    name: 'lock-decisions-of-run',
    text: `select ${columns} from gate_decisions
      where org_id = $1 and repository_id = $2 and run_id = $3 and name_key = lower($4) order by attempt desc for update`,
    values: [orgId, of.repositoryId, of.runId, of.hostEnvironment],
  })
}

/** Finds a decision and holds it until the transaction ends. */
export async function lockDecision(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<DecisionRow | undefined> {
  const [row] = await tx.query<DecisionRow>({
    name: 'lock-decision',
    text: `select ${columns} from gate_decisions where org_id = $1 and id = $2 for update`,
    values: [orgId, id],
  })
  return row
}

/** Holds those of the decisions that wait, except what another transaction holds: it judges them itself. */
export async function lockWaiting(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<DecisionRow[]> {
  return tx.query<DecisionRow>({
    name: 'lock-waiting-decisions',
    text: `select ${columns} from gate_decisions
      where org_id = $1 and id = any ($2::text[]) and state = 'waiting' order by id for update skip locked`,
    values: [orgId, ids],
  })
}

/** Counts the decisions of an organization that wait. */
export async function countWaiting(tx: Tx, orgId: string): Promise<number> {
  const [row] = await tx.query<{ readonly count: number }>({
    name: 'count-waiting-decisions',
    text: `select count(*)::integer as count from gate_decisions where org_id = $1 and state = 'waiting'`,
    values: [orgId],
  })
  return row?.count ?? 0
}

/** Adds a decision. `judgeAt`: when it is judged next, if it waits. */
export async function insertDecision(
  tx: Tx,
  orgId: string,
  { row, judgeAt }: { readonly row: DecisionRow; readonly judgeAt: Date },
): Promise<void> {
  await tx.query({
    name: 'insert-decision',
    text: `insert into gate_decisions (org_id, id, repository_id, sha, ref, is_fork, host_environment, environment_id, run_id, attempt,
        run_url, host_deployment_id, via, state, reasons, waited_for, asked_at, heard_at, judge_at, decided_at, answer_state, fence)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`,
    values: [
      orgId,
      row.id,
      row.repositoryId,
      row.sha,
      row.ref,
      row.isFork,
      row.hostEnvironment,
      row.environmentId,
      row.runId,
      row.attempt,
      row.runUrl,
      row.hostDeploymentId,
      row.via,
      row.state,
      JSON.stringify(row.reasons),
      row.waitedFor,
      row.askedAt,
      row.heardAt,
      judgeAt,
      row.decidedAt,
      row.answerState,
      row.fence,
    ],
  })
}

/** Stores what changed of a decision that is held. */
export async function updateDecision(tx: Tx, orgId: string, row: DecisionRow): Promise<void> {
  await tx.query({
    name: 'update-decision',
    text: `update gate_decisions set environment_id = $3, via = $4, state = $5, reasons = $6, waited_for = $7, heard_at = $8,
        decided_at = $9, decided_by = $10, comment = $11, answer_state = $12, answer_detail = $13, fence = $14, comments_sent = $15,
        commented_at = $16, commented = $17, host_environment = $18, host_deployment_id = $19, run_url = $20, is_fork = $21, sha = $22
      where org_id = $1 and id = $2`,
    values: [
      orgId,
      row.id,
      row.environmentId,
      row.via,
      row.state,
      JSON.stringify(row.reasons),
      row.waitedFor,
      row.heardAt,
      row.decidedAt,
      row.decidedBy && JSON.stringify(row.decidedBy),
      row.comment,
      row.answerState,
      row.answerDetail,
      row.fence,
      row.commentsSent,
      row.commentedAt,
      row.commented,
      row.hostEnvironment,
      row.hostDeploymentId,
      row.runUrl,
      row.isFork,
      row.sha,
    ],
  })
}

/** Notes where the answer to a decision stands, unless something else was decided meanwhile. */
export async function noteAnswer(
  tx: Tx,
  orgId: string,
  of: Pick<DecisionRow, 'id' | 'fence' | 'answerState' | 'answerDetail'>,
): Promise<void> {
  await tx.query({
    name: 'note-gate-answer',
    text: `update gate_decisions set answer_state = $4, answer_detail = $5
      where org_id = $1 and id = $2 and fence = $3 and answer_state = 'waiting'`,
    values: [orgId, of.id, of.fence, of.answerState, of.answerDetail],
  })
}

/** Names a decision of an organization. */
export interface DueDecision {
  readonly orgId: string
  readonly id: string
}

/** Takes decisions that are to be judged, so that no other node judges them until `nextAt`. */
export async function takeDueDecisions(
  tx: Tx,
  { now, nextAt, limit }: { readonly now: Date; readonly nextAt: Date; readonly limit: number },
): Promise<DueDecision[]> {
  return tx.query<DueDecision>({
    name: 'take-due-decisions',
    text: `update gate_decisions set judge_at = $2 where (org_id, id) in
      (select org_id, id from gate_decisions where state = 'waiting' and judge_at <= $1 order by judge_at limit $3
        for update skip locked)
      returning org_id as "orgId", id`,
    values: [now, nextAt, limit],
  })
}

/** Adds the approval of a member, or the comment of a later one. */
export async function insertApproval(
  tx: Tx,
  orgId: string,
  of: {
    readonly decisionId: string
    readonly userId: string
    readonly name: string
    readonly comment: string | null
    readonly at: Date
  },
): Promise<void> {
  await tx.query({
    name: 'insert-gate-approval',
    text: `insert into gate_approvals (org_id, decision_id, user_id, name, comment, at) values ($1, $2, $3, $4, $5, $6)
      on conflict do nothing`,
    values: [orgId, of.decisionId, of.userId, of.name, of.comment, of.at],
  })
}

/** Forgets decisions that were made long ago. */
export const decisionRetention: RetentionRule = {
  keptMs: 90 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-gate-decisions',
      text: forgetSql('gate_decisions', 'decided_at < $1'),
      values: [before, limit],
    }),
}
