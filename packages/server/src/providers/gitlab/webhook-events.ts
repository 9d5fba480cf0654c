import { z } from 'zod'
import { readForeignJson } from '../../egress/foreign-json.ts'
import type { CodehostEvent } from '../codehosts/event.ts'
import type { CodehostRepository } from '../codehosts/repository.ts'
import { instanceOf, instanceOfAccount, toRepositoryId } from './instance.ts'
import { hookMergeRequest } from './merge-requests.ts'
import { gitlabRun } from './run-shape.ts'
import { externalId } from '../codehosts/fields.ts'
import { projectOf } from './shapes.ts'

const ignored = (reason: string): CodehostEvent => ({ type: 'ignored', reason })

const project = z.object({ id: externalId, path_with_namespace: z.string(), web_url: z.string() })
const deploymentBody = z.object({ deployment_id: externalId, project })
const pipelineBody = z.object({ object_attributes: gitlabRun, project: z.unknown() })
const mergeRequestBody = z.object({ object_attributes: hookMergeRequest, project: z.unknown() })

export const deploymentEvent = 'Deployment Hook'
const pipelineEvent = 'Pipeline Hook'
const mergeRequestEvent = 'Merge Request Hook'

/**
 * Returns the instance that a project is of: that of the connection, since the server may reach it at another address than people do;
 * else the address of the project without its path.
 */
function instanceOfProject(
  { web_url: url, path_with_namespace: path }: z.output<typeof project>,
  accountId: string | null,
): string | undefined {
  if (accountId !== null) return instanceOfAccount(accountId)
  return url.endsWith(`/${path}`) ? instanceOf(url.slice(0, -path.length - 1)) : undefined
}

/** A Deployment Hook has the first digits of the commit, and no number to order by: it only says which deployment to read. */
function readDeployment(payload: unknown, accountId: string | null): CodehostEvent {
  const { data } = deploymentBody.safeParse(payload)
  const instance = data && instanceOfProject(data.project, accountId)
  if (data === undefined || instance === undefined) return unfit
  return {
    type: 'deploymentHint',
    repositoryId: toRepositoryId(instance, data.project.id),
    deploymentId: data.deployment_id,
  }
}

function readPipeline(payload: unknown, accountId: string | null): CodehostEvent {
  const { data } = pipelineBody.safeParse(payload)
  const repository = readRepository(data?.project, accountId)
  if (data === undefined || repository === undefined) return unfit
  return { type: 'run', repository, run: data.object_attributes }
}

/** Each of them says what the merge request is now, whatever has happened to it. Its project is the one that it is for. */
function readMergeRequest(payload: unknown, accountId: string | null): CodehostEvent {
  const { data } = mergeRequestBody.safeParse(payload)
  const repository = readRepository(data?.project, accountId)
  if (data === undefined || repository === undefined) return unfit
  return { type: 'pullRequest', repository, pullRequest: data.object_attributes }
}

function readRepository(of: unknown, accountId: string | null): CodehostRepository | undefined {
  const { data } = project.safeParse(of)
  const instance = data && instanceOfProject(data, accountId)
  return instance === undefined ? undefined : projectOf(instance).safeParse(of).data
}

const readers = new Map<string, (payload: unknown, accountId: string | null) => CodehostEvent>([
  [deploymentEvent, readDeployment],
  [pipelineEvent, readPipeline],
  [mergeRequestEvent, readMergeRequest],
])

const unfit = ignored('The body doesn’t fit this event.')

/**
 * Reads what a webhook of GitLab tells us. `name` is its `X-Gitlab-Event`. Never throws.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhook_events/
 */
export function parseGitlabEvent(
  name: string,
  body: Buffer,
  accountId: string | null = null,
): CodehostEvent {
  const read = readers.get(name)
  if (read === undefined) return ignored('Signalbox doesn’t use this event.')
  const payload = readForeignJson(body)
  if (payload === undefined) return ignored('The body is not valid JSON.')
  return read(payload, accountId)
}
