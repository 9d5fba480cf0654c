import { cutText } from '@signalbox/contract'
import { z } from 'zod'
import { externalId, list } from '../../codehosts/fields.ts'
import type { CodehostWaits, WaitOf } from '../../codehosts/wait.ts'
import { readAnswer, type GithubRequests } from '../api-request.ts'
import { isOther, proposesFork } from './pull-request-shape.ts'

const run = z.object({
  run_attempt: z.int().positive().catch(1),
  repository: z.object({ id: externalId }),
  head_repository: z.object({ id: externalId }).nullish().catch(null),
  pull_requests: list.nullish().catch([]),
})

const commentLength = 1_024

/**
 * Creates the answers to runs that a deployment protection rule holds.
 *
 * @see https://docs.github.com/en/rest/actions/workflow-runs#review-custom-deployment-protection-rules-for-a-workflow-run
 */
export function createWaitCalls(
  { getFresh, write }: Pick<GithubRequests, 'getFresh' | 'write'>,
  at: (repositoryId: string) => string,
): CodehostWaits {
  const runAt = (repositoryId: string, runId: string) =>
    `${at(repositoryId)}/actions/runs/${encodeURIComponent(runId)}`
  const review = (
    repositoryId: string,
    { runId, environment }: WaitOf,
    of: { readonly state?: string; readonly text: string; readonly accept?: readonly number[] },
  ) =>
    write('POST', `${runAt(repositoryId, runId)}/deployment_protection_rule`, {
      json: {
        environment_name: environment,
        ...(of.state !== undefined && { state: of.state }),
        comment: cutText(of.text, commentLength),
      },
      accept: of.accept ?? [],
    })
  return {
    commentsMax: 10,
    commentLength,
    async read(repositoryId, wait) {
      const answer = await getFresh(runAt(repositoryId, wait.runId), { accept: [404] })
      if (answer.status === 404) return undefined
      const read = readAnswer(answer, run)
      const { id } = read.repository
      const isFork =
        wait.isFork ||
        isOther(read.head_repository, id) ||
        proposesFork(read.pull_requests ?? [], id)
      return { ...wait, attempt: wait.attempt ?? read.run_attempt, isFork }
    },
    async comment(repositoryId, wait, text) {
      await review(repositoryId, wait, { text })
    },
    async answer(repositoryId, wait, { state, text }) {
      // 422: somebody has answered, or a person has gone on without us.
      await review(repositoryId, wait, { state, text, accept: [422] })
    },
  }
}
