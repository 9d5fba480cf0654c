import { z } from 'zod'
import { externalId, list, textOrNull } from '../../codehosts/fields.ts'
import type { CodehostWait } from '../../codehosts/wait.ts'
import { githubRepository } from '../shapes.ts'
import { isOther, proposesFork } from './pull-request-shape.ts'

const noDeployment = { id: null, sha: null, ref: null }
const deployment = z
  .object({ id: externalId, sha: textOrNull, ref: textOrNull })
  .nullish()
  .catch(null)
  .transform((made) => made ?? noDeployment)

/** The run, which not every webhook has. A fork that is gone is `null`. */
const noRun = { id: null, run_attempt: null, head_repository: undefined }
const run = z
  .object({
    id: externalId.nullish().catch(null),
    run_attempt: z.int().positive().nullish().catch(null),
    head_repository: z.object({ id: externalId }).nullish().catch(undefined),
  })
  .nullish()
  .catch(null)
  .transform((of) => of ?? noRun)

/** Ends the address that GitHub offers for the answer. Only the number is read from it: the answer goes to GitHub's own API. */
const callback = /\/actions\/runs\/(\d{1,20})\/deployment_protection_rule$/
const runIdOrNull = textOrNull.transform((url) => callback.exec(url ?? '')?.[1] ?? null)

/**
 * Parses the payload of `deployment_protection_rule`.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#deployment_protection_rule
 */
export const waitPayload = z.object({
  action: z.string(),
  environment: z.string(),
  sha: textOrNull,
  ref: textOrNull,
  deployment_callback_url: runIdOrNull,
  deployment,
  pull_requests: list.catch([]),
  workflow_run: run,
  repository: githubRepository,
})

/** Returns the run that waits; `undefined` where the payload does not say which one it is, or of which commit. */
export function toWait(payload: z.output<typeof waitPayload>): CodehostWait | undefined {
  const { repository, environment, deployment: made, workflow_run: of } = payload
  const runId = payload.deployment_callback_url ?? of.id ?? null
  const sha = payload.sha ?? made.sha
  if (runId === null || sha === null) return undefined
  return {
    runId,
    attempt: of.run_attempt ?? null,
    environment,
    sha,
    ref: payload.ref ?? made.ref,
    deploymentId: made.id,
    isFork: isOfFork(payload),
    url: repository.url === '' ? null : `${repository.url}/actions/runs/${runId}`,
  }
}

function isOfFork({
  repository: { externalId: id },
  workflow_run: { head_repository: origin },
  pull_requests: pulls,
}: z.output<typeof waitPayload>): boolean {
  return (origin !== undefined && isOther(origin, id)) || proposesFork(pulls, id)
}
