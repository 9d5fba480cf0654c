import { cutText } from '@signalbox/contract'
import type { CodehostStatuses } from '../codehosts/commit-status.ts'
import type { ForgejoRequests } from './api-request.ts'
import type { RepositoryPaths } from './repository-paths.ts'

const stateOf = {
  pending: 'pending',
  success: 'success',
  // A warning keeps a pull request from being merged where the status is required.
  neutral: 'success',
  failure: 'failure',
} as const

const descriptionMax = 255

/**
 * Creates what writes the statuses of commits. The newest of a name counts, so that nothing has to be found again.
 *
 * @see https://codeberg.org/api/swagger#/repository/repoCreateStatus
 */
export function createStatusCalls(
  { send }: Pick<ForgejoRequests, 'send'>,
  paths: RepositoryPaths,
): CodehostStatuses {
  return {
    write: (repositoryId, { sha, name, state, title, url }) =>
      paths.with(repositoryId, async (repository) => {
        const description = cutText(title, descriptionMax)
        const json = { state: stateOf[state], context: name, description, target_url: url }
        await send('POST', `${repository}/statuses/${encodeURIComponent(sha)}`, { json })
        return { kind: 'commit_status', externalId: null, url: null } as const
      }),
  }
}
