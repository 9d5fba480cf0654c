import type { GateRule, GateRuleKind } from '@signalbox/contract/rest'
import { listCurrentChecksOf, type CheckOfCommit } from '../commit-checks/read-check.ts'
import { listEnvironmentRows } from '../configs/environments/environment-rows.ts'
import { readDeploymentSettings } from '../deployments/codehost/integration-settings.ts'
import { mapEnvironment } from '../deployments/environments/map-environment.ts'
import {
  countApprovals,
  listEndedDeployments,
  listIssueFacts,
  listLiveFacts,
  listQuietFacts,
  listRepositoryFacts,
  listTestFacts,
  type ApprovalRule,
} from '../read-models/gates/fact-rows.ts'
import type { Tx } from '../store/store.ts'
import type { CheckFact, DeploymentFacts, EnvironmentName, RulePosition } from './facts.ts'
import type { GateDeps } from './gate-deps.ts'
import { listFreezeRows, listGateRows } from './gate-rows.ts'
import type { DecisionRow, GateRow } from './gate.ts'
import { covers } from './judge-gate.ts'

/** Holds what decisions of an organization are judged by. */
export interface GateFacts {
  readonly gates: readonly GateRow[]
  /** Returns the facts of one of the deployments. */
  readonly factsOf: (row: DecisionRow) => DeploymentFacts
  /** Holds the decisions whose deployment has ended without an answer. */
  readonly ended: ReadonlySet<string>
}

/** Describes a deployment that asks, with the gates that cover it. */
interface Asking {
  readonly row: DecisionRow
  readonly repository: string
  readonly environment: EnvironmentName | null
  readonly covering: readonly GateRow[]
}

/** Reads what decisions are judged by, in as many statements for one as for all. What no gate asks for is not read. */
export async function readFacts(
  deps: Pick<GateDeps, 'keys'>,
  tx: Tx,
  orgId: string,
  { rows, now }: { readonly rows: readonly DecisionRow[]; readonly now: Date },
): Promise<GateFacts> {
  const gates = await listGateRows(tx, orgId)
  const own = await listEnvironmentRows(tx, orgId)
  const all = await nameAsking(tx, orgId, { rows, gates, own })
  const asksFor = (kind: GateRuleKind) => all.filter((each) => rulesOf(each, kind).length > 0)
  const named = (kind: 'tests' | 'soak') => [
    ...new Set(all.flatMap((each) => rulesOf(each, kind)).map((rule) => rule.environmentId)),
  ]
  const shas = asksFor('tests').map(({ row }) => row.sha)
  const tests = await listTestFacts(tx, orgId, { shas, environmentIds: named('tests') })
  const commits = asksFor('soak').map(({ row }) => row)
  const live = await listLiveFacts(tx, orgId, { commits, environmentIds: named('soak') })
  const issues = await listIssueFacts(tx, orgId, { asking: toDeployments(asksFor('issues')), now })
  const environmentIds = asksFor('quiet').flatMap(({ environment }) => environment?.id ?? [])
  const quiet = await listQuietFacts(tx, orgId, { environmentIds, now })
  const approvals = await countApprovals(tx, orgId, all.flatMap(listApprovalRules))
  const checked = asksFor('configuration').map(({ row }) => row)
  const checks = await listCurrentChecksOf(deps, tx, orgId, checked)
  const freezes = await listFreezeRows(tx, orgId, now)
  const names = new Map(own.map(({ id, name }) => [id, name]))
  const byId = new Map(all.map((each) => [each.row.id, each]))
  return {
    gates,
    ended: await listEndedDeployments(tx, orgId, toDeployments(all)),
    factsOf(row) {
      const asking = byId.get(row.id)
      const environment = asking?.environment ?? null
      const freeze = freezes.find((each) => each.environmentId === environment?.id)
      const of = issues.find(({ decisionId }) => decisionId === row.id)
      return {
        now,
        repository: asking?.repository ?? '',
        sha: row.sha,
        ref: row.ref,
        isFork: row.isFork,
        environment,
        freeze: freeze ? { ...freeze, by: freeze.frozenBy.name } : null,
        nameOf: (id) => names.get(id),
        check: checkOf(checks, row),
        tests: tests
          .filter(({ sha }) => sha === row.sha)
          .map((test) => ({ ...test, environmentId: test.environmentId ?? '' })),
        live: live
          .filter(({ repositoryId, sha }) => repositoryId === row.repositoryId && sha === row.sha)
          .flatMap(({ environmentId, from, to }) =>
            environmentId === null || from === null ? [] : [{ environmentId, from, to }],
          ),
        issues: of ?? null,
        quiet: quiet.map((each) => ({ ...each, environmentId: each.environmentId ?? '' })),
        approvals: (position) => approvals.get(positionOf(row.id, position)) ?? 0,
      }
    },
  }
}

function checkOf(
  checks: readonly CheckOfCommit[],
  { repositoryId, sha }: DecisionRow,
): CheckFact[] | null {
  const check = checks.find(
    (each) => each.repositoryId === repositoryId && each.sha === sha && !each.isFork,
  )
  if (check === undefined) return null
  return check.schemas.flatMap(({ environments }) =>
    environments.map(({ environmentId, missing, invalid }) => ({
      environmentId,
      missing,
      invalid: invalid.map(({ key }) => key),
    })),
  )
}

interface NameAsking {
  readonly rows: readonly DecisionRow[]
  readonly gates: readonly GateRow[]
  readonly own: readonly EnvironmentName[]
}

async function nameAsking(
  tx: Tx,
  orgId: string,
  { rows, gates, own }: NameAsking,
): Promise<Asking[]> {
  const repositories = await listRepositoryFacts(
    tx,
    orgId,
    rows.map(({ repositoryId }) => repositoryId),
  )
  const { rules } = await readDeploymentSettings(tx, orgId)
  return rows.map((row) => {
    const repository = repositories.find(({ id }) => id === row.repositoryId)
    const host = { name: row.hostEnvironment, repositoryId: repository?.externalId ?? null }
    // A pipeline that asks wants an answer, also where a rule leaves its environment out.
    const used =
      row.via === 'rule' ? rules : rules.filter(({ environmentId }) => environmentId !== null)
    const { environmentId } = mapEnvironment(host, used, own)
    const environment = own.find(({ id }) => id === environmentId) ?? null
    const name = repository?.fullName ?? ''
    const covering =
      environment === null
        ? []
        : gates.filter((gate) => covers(gate, { environmentId: environment.id, repository: name }))
    return { row, repository: name, environment, covering }
  })
}

function toDeployments(all: readonly Asking[]) {
  return all.map(({ row }) => ({
    decisionId: row.id,
    repositoryId: row.repositoryId,
    sha: row.sha,
    hostDeploymentId: row.hostDeploymentId,
  }))
}

function rulesOf<Kind extends GateRuleKind>(
  { covering }: Pick<Asking, 'covering'>,
  kind: Kind,
): Extract<GateRule, { readonly rule: Kind }>[] {
  return covering.flatMap(({ rules }) => rules.filter((rule) => isOfKind(rule, kind)))
}

function isOfKind<Kind extends GateRuleKind>(
  rule: GateRule,
  kind: Kind,
): rule is Extract<GateRule, { readonly rule: Kind }> {
  return rule.rule === kind
}

function positionOf(decisionId: string, { gateId, rule }: RulePosition): string {
  return `${decisionId} ${gateId} ${rule}`
}

function listApprovalRules({ row, environment, covering }: Asking): ApprovalRule[] {
  return covering.flatMap((gate) => toApprovalRules(gate, row.id, environment?.id ?? ''))
}

/** Lists the rules of a gate that ask for approvals of a decision. */
function toApprovalRules(
  { id: gateId, rules }: GateRow,
  decisionId: string,
  environmentId: string,
): ApprovalRule[] {
  return rules.flatMap((rule, index) =>
    rule.rule === 'approvals'
      ? [
          {
            position: positionOf(decisionId, { gateId, rule: index }),
            decisionId,
            environmentId,
            members: rule.members,
          },
        ]
      : [],
  )
}
