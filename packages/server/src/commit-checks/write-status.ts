import { findIntegrationRow } from '../integrations/rows.ts'
import { isUsable, type Integration } from '../integrations/integration.ts'
import { findExternalId } from '../deployments/codehost/tracked-repository-rows.ts'
import { findLack } from '../providers/capability.ts'
import { displayNameOf, findProvider } from '../providers/find-provider.ts'
import type { CommitStatus } from '../providers/codehosts/commit-status.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { EventSubject } from '../jobs/emit.ts'
import type { Tx } from '../store/store.ts'
import type { CheckDeps } from './check-deps.ts'
import { requestReports } from './compare-checks.ts'
import { findCheckRow, type CheckRow } from '../read-models/commit-checks/check-rows.ts'
import { listDefinitionRows, saveReport, type DefinitionRow } from './check-rows.ts'
import { annotateLines, describeCheck } from './commit-check.ts'

/** Names the status among the others of a commit. */
const statusName = 'Signalbox: configuration'

/**
 * Writes at the code host what a check says. The status of a commit is one, and writing it again does no harm; what a newer result says
 * is written by its own job. `isRepeated`: a try before was cut off, and may have written what was true then.
 *
 * @throws {ProviderError} for what a later try may mend
 */
export async function writeStatus(
  deps: CheckDeps,
  { orgId, id }: EventSubject,
  isRepeated = false,
): Promise<void> {
  const planned = await deps.store.transaction({ orgId }, (tx) =>
    plan(tx, { orgId, id, isRepeated }),
  )
  if (planned === undefined) return
  const { check, externalId, lack, declared } = planned
  const result = { id, fence: check.reportFence, at: deps.now(), detail: null, nextStep: null }
  const save = (of: Omit<Parameters<typeof saveReport>[2], 'id' | 'fence' | 'at'>) =>
    deps.store.transaction({ orgId }, async (tx) => {
      if (await saveReport(tx, orgId, { ...result, ...of })) return
      // The newer one may have been written before: whichever of the two stands there, it is written again.
      await requestReports(deps, tx, orgId, [id])
    })
  if (lack !== undefined) return save({ state: 'none', ...lack })
  try {
    const api = await deps.openCodehost(orgId)
    const url = `${deps.publicUrl()}/${orgId}/deployments/checks/${id}`
    const written = await api.statuses.write(externalId, toStatus(check, declared, url))
    await save({ state: 'written', ...written, detail: null, nextStep: null })
  } catch (error) {
    const refused = explainRefused(error)
    if (refused === undefined) throw error
    await save({ state: 'given_up', ...refused })
  }
}

interface Planned {
  readonly check: CheckRow
  readonly externalId: string
  readonly lack: Lack | undefined
  readonly declared: readonly DefinitionRow[]
}

interface Lack {
  readonly detail: string
  readonly nextStep: string | null
}

async function plan(
  tx: Tx,
  { orgId, id, isRepeated }: EventSubject & { readonly isRepeated: boolean },
): Promise<Planned | undefined> {
  const check = await findCheckRow(tx, orgId, id)
  if (check === undefined) return undefined
  if (check.reportState === 'written' && !isRepeated) return undefined
  const externalId = await findExternalId(tx, orgId, check.repositoryId)
  const codehost = await findIntegrationRow(tx, { orgId, kind: 'codehost' })
  const declared = await listDefinitionRows(tx, orgId, [id])
  const lack = explainLack(check, externalId, codehost)
  return { check, externalId: externalId ?? '', lack, declared }
}

/** Returns why no status is written; `undefined`: one is. */
function explainLack(
  { isFork }: CheckRow,
  externalId: string | undefined,
  codehost: Integration | undefined,
): Lack | undefined {
  if (isFork)
    return { detail: 'The commit comes from a fork, so no status is written.', nextStep: null }
  if (codehost === undefined || !isUsable(codehost)) {
    const detail = 'No code host is connected, so no status is written.'
    return { detail, nextStep: 'Connect one on the Integrations page.' }
  }
  if (externalId === undefined) {
    const detail = `Only pipelines have reported this repository, so ${displayNameOf(codehost.provider)} takes no status for it.`
    return { detail, nextStep: 'Track the repository on the Integrations page.' }
  }
  const provider = findProvider(codehost.provider)
  const lack = provider && findLack(provider, codehost.scopes, 'writeStatuses')
  return lack && { detail: lack.detail, nextStep: lack.nextStep }
}

function toStatus(check: CheckRow, declared: readonly DefinitionRow[], url: string): CommitStatus {
  const { id: ownId, sha, conclusion, results, reportExternalId: externalId } = check
  return {
    sha,
    name: statusName,
    state: conclusion,
    ...describeCheck(results),
    url,
    annotations: annotateLines(results, declared),
    externalId,
    ownId,
  }
}

/** Returns why the code host refuses a status for good; `undefined` for what a later try may mend. */
function explainRefused(error: unknown): Lack | undefined {
  if (!(error instanceof ProviderError)) return undefined
  const name = displayNameOf(error.provider)
  if (error.failure === 'forbidden')
    return {
      detail: `${name} does not let Signalbox write a status here (${error.code}).`,
      nextStep: `Grant Signalbox the permission on ${name}, and upload again.`,
    }
  if (error.failure === 'notFound')
    return {
      detail: `${name} has no such commit or repository any more.`,
      nextStep: null,
    }
  if (error.failure === 'rejected')
    return { detail: `${name} refused the status (${error.code}).`, nextStep: null }
  return undefined
}
