import { cutText } from '@signalbox/contract'
import { z } from 'zod'
import { readForeignJson } from '../../egress/foreign-json.ts'
import type { CodehostStatuses } from '../codehosts/commit-status.ts'
import { ProviderError } from '../provider-error.ts'
import type { GitlabRequests } from './api-request.ts'

const stateOf = {
  pending: 'pending',
  success: 'success',
  neutral: 'success',
  failure: 'failed',
} as const

const descriptionMax = 255

const rejection = z.object({ message: z.string() })
/** GitLab refuses a state that the status has already. It finds the one that has not ended, and makes another one beside one that has. */
const isThere = /^Cannot transition status via :enqueue from :pending/

/**
 * Creates what writes the statuses of commits. The newest of a name counts, so that nothing has to be found again.
 *
 * @see https://docs.gitlab.com/api/commits/#set-commit-pipeline-status
 */
export function createStatusCalls(
  { send }: Pick<GitlabRequests, 'send'>,
  at: (repositoryId: string) => string,
): CodehostStatuses {
  return {
    async write(repositoryId, { sha, name, state, title, url }) {
      const path = `${at(repositoryId)}/statuses/${encodeURIComponent(sha)}`
      const description = cutText(title, descriptionMax)
      const json = { state: stateOf[state], name, description, target_url: url }
      const answer = await send('POST', path, { json, accept: [400, 409] })
      // Another status of the commit is being written.
      if (answer.status === 409) throw failed('unavailable', answer.status)
      if (answer.status === 400) {
        const { data } = rejection.safeParse(readForeignJson(answer.body))
        if (!isThere.test(data?.message ?? '')) throw failed('rejected', answer.status)
      }
      return { kind: 'commit_status', externalId: null, url: null }
    },
  }
}

function failed(failure: 'unavailable' | 'rejected', status: number): ProviderError {
  return new ProviderError({ provider: 'gitlab', failure, code: `http_${status}` })
}
