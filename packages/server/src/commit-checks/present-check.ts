import type { CommitCheck } from '@signalbox/contract/rest'
import type { CheckRow } from '../read-models/commit-checks/check-rows.ts'
import { concludeCheck } from './commit-check.ts'

/** Says what of a check somebody may know: a key may be made for some environments and schemas. `null`: all of it. */
export interface CheckReach {
  readonly environmentIds: readonly string[] | null
  readonly schemaIds: readonly string[] | null
}

/** Returns a check as answers have it, without what its reader may not know of. */
export function presentCheck(
  row: CheckRow,
  { environmentIds, schemaIds }: CheckReach,
): CommitCheck {
  const schemas = row.results
    .filter(
      ({ schemaId }) => schemaIds === null || (schemaId !== null && schemaIds.includes(schemaId)),
    )
    .map((schema) => ({
      ...schema,
      environments: schema.environments.filter(
        ({ environmentId }) => environmentIds?.includes(environmentId) ?? true,
      ),
    }))
  const { id, repository, sha, ref, pullRequest, pullRequestUrl, isFork, state } = row
  return {
    id,
    repository,
    sha,
    ref,
    pullRequest,
    pullRequestUrl,
    isFork,
    state,
    conclusion: concludeCheck(schemas),
    schemas,
    report: {
      kind: row.reportKind,
      state: row.reportState,
      writtenAt: row.reportWrittenAt?.toISOString() ?? null,
      detail: row.reportDetail,
      nextStep: row.reportNextStep,
      url: row.reportUrl,
    },
    uploadedAt: row.uploadedAt.toISOString(),
    checkedAt: row.checkedAt.toISOString(),
  }
}
