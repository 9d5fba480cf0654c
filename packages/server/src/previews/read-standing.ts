import {
  findPreviewRepository,
  listCandidateRows,
  listProposedRows,
  type CandidateRow,
  type NamedRepository,
  type ProposedRow,
} from '../read-models/previews/candidate-rows.ts'
import type { Tx } from '../store/store.ts'
import { judgePreview, type Judgement } from './judge-preview.ts'
import { listPreviewsOf, type PreviewRow } from './preview-rows.ts'
import { findRule, readNumber, type PreviewRuleRow } from './preview-rule.ts'
import { listRuleRows } from './rule-rows.ts'

/** Describes how a host environment stands that is or may become a preview. */
export interface Standing {
  readonly hostEnvironment: string
  /** Holds the number of its pull request. `null`: not known. */
  readonly number: number | null
  /** `undefined`: nothing is recorded of its pull request. */
  readonly pullRequest: ProposedRow | undefined
  readonly rule: PreviewRuleRow | undefined
  readonly preview: PreviewRow | undefined
  /** Says that something was deployed there. */
  readonly isDeployed: boolean
  readonly judgement: Judgement
}

/** Holds all that previews of a repository depend on. */
export interface RepositoryStanding {
  readonly repository: NamedRepository
  readonly standings: readonly Standing[]
  readonly rules: readonly PreviewRuleRow[]
}

/** Reads how the previews of a repository stand, those included that there should be. `undefined`: there is no such repository. */
export async function readStandings(
  tx: Tx,
  orgId: string,
  of: { readonly repositoryId: string; readonly now: Date },
): Promise<RepositoryStanding | undefined> {
  const { repositoryId, now } = of
  const repository = await findPreviewRepository(tx, orgId, repositoryId)
  if (repository === undefined) return undefined
  const rules = await listRuleRows(tx, orgId)
  const previews = new Map(
    (await listPreviewsOf(tx, orgId, repositoryId)).map((row) => [nameKey(row), row]),
  )
  if (rules.length === 0 && previews.size === 0) return { repository, rules, standings: [] }
  const candidates = (await listCandidateRows(tx, orgId, repositoryId)).map((row) => {
    const rule = findRule(rules, repository.fullName, row.hostEnvironment)
    const preview = previews.get(nameKey(row))
    const named = rule && readNumber(rule, row.hostEnvironment)
    return { row, rule, preview, number: named ?? preview?.pullRequest ?? null }
  })
  const relevant = candidates.filter(({ rule, preview }) => rule ?? preview)
  const proposed = await listProposedRows(tx, orgId, {
    repositoryId,
    numbers: relevant.flatMap(({ number }) => number ?? []),
    shas: relevant.flatMap(({ row }) => row.sha ?? []),
    branches: relevant.flatMap(({ row }) => row.branch ?? []),
  })
  const standings = relevant.map(({ row, rule, preview, number }) => {
    const pullRequest = findPullRequest(proposed, number, row)
    const facts = {
      rule,
      removedAt: row.removedAt,
      deployment: toDeployment(row),
      pullRequest: pullRequest ?? null,
      askedAt: preview?.askedAt ?? null,
      dismissedAt: preview?.dismissedAt ?? null,
    }
    return {
      hostEnvironment: row.hostEnvironment,
      number: number ?? pullRequest?.number ?? null,
      pullRequest,
      rule,
      preview,
      isDeployed: facts.deployment !== null,
      judgement: judgePreview(facts, now),
    }
  })
  return { repository, rules, standings }
}

function nameKey({ hostEnvironment }: { readonly hostEnvironment: string }): string {
  return hostEnvironment.toLowerCase()
}

/** Finds the pull request of a number, else the one of the deployed commit, else the one of its branch in the same repository. */
function findPullRequest(
  proposed: readonly ProposedRow[],
  number: number | null,
  { sha, branch }: CandidateRow,
): ProposedRow | undefined {
  if (number !== null) return proposed.find((one) => one.number === number)
  return (
    proposed.find(({ headSha }) => headSha === sha) ??
    proposed.find(({ headRef, isFork }) => !isFork && headRef === branch)
  )
}

function toDeployment({ deploymentState, deployedAt, changedAt }: CandidateRow) {
  if (deploymentState === null || deployedAt === null) return null
  return { state: deploymentState, createdAt: deployedAt, changedAt: changedAt ?? deployedAt }
}
