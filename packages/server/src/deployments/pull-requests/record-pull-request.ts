import type { CodehostPullRequest } from '../../providers/codehosts/pull-request.ts'
import type { CodehostRepository } from '../../providers/codehosts/repository.ts'
import type { Tx } from '../../store/store.ts'
import { lockHostRepository } from '../codehost/repository-rows.ts'
import { savePullRequestRow } from './pull-request-rows.ts'

/** Describes what a code host says of a pull request. */
export interface ReportedPullRequest {
  readonly repository: CodehostRepository
  readonly pullRequest: CodehostPullRequest
}

/** Records a pull request as its host says it is. Returns our id of its repository; `undefined` where a newer event is stored. */
export async function recordPullRequest(
  tx: Tx,
  orgId: string,
  { repository, pullRequest }: ReportedPullRequest,
): Promise<string | undefined> {
  const { id: repositoryId } = await lockHostRepository(
    tx,
    orgId,
    repository,
    pullRequest.updatedAt,
  )
  const isNewest = await savePullRequestRow(tx, orgId, { ...pullRequest, repositoryId })
  return isNewest ? repositoryId : undefined
}
