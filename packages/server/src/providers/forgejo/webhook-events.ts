import { z } from 'zod'
import { readForeignJson } from '../../egress/foreign-json.ts'
import type { CodehostEvent } from '../codehosts/event.ts'
import type { CodehostRepository } from '../codehosts/repository.ts'
import { instanceOf, instanceOfAccount } from '../codehosts/instance-ids.ts'
import { forgejoPullRequest } from './pull-requests.ts'
import { forgejoRun } from './run-shape.ts'
import { repositoryOf } from './shapes.ts'

const ignored = (reason: string): CodehostEvent => ({ type: 'ignored', reason })
const unfit = ignored('The body doesn’t fit this event.')

/** Forgejo has the run in `run`, and its repository there; Gitea has `workflow_run`, and the repository beside it. */
const body = z
  .object({
    run: z.unknown().optional(),
    workflow_run: z.unknown().optional(),
    repository: z.unknown().optional(),
  })
  .transform(({ run, workflow_run: giteaRun, repository }) => {
    const content = run ?? giteaRun
    return { content, repository: ofRun.safeParse(content).data?.repository ?? repository }
  })
const ofRun = z.object({ repository: z.unknown() })
const address = z.object({ html_url: z.string(), full_name: z.string() })

const runEvent = /^(?:action_run_[a-z]+|workflow_run)$/
/** Says what a pull request is now, whatever has happened to it: also that somebody has pushed to it. */
const pullRequestEvent = 'pull_request'
const pullRequestBody = z.object({ pull_request: forgejoPullRequest, repository: z.unknown() })

/**
 * Returns the instance that a repository is of: that of the connection, since the server may reach it at another address than people
 * do; else the address of the repository without its name.
 */
function instanceOfRepository(repository: unknown, accountId: string | null): string | undefined {
  if (accountId !== null) return instanceOfAccount(accountId)
  const { data } = address.safeParse(repository)
  if (data === undefined || !data.html_url.endsWith(`/${data.full_name}`)) return undefined
  return instanceOf(data.html_url.slice(0, -data.full_name.length - 1))
}

/**
 * Reads what a webhook of Forgejo or Gitea tells us. `name` is its `X-Forgejo-Event` or `X-Gitea-Event`. Never throws.
 *
 * @see https://forgejo.org/docs/latest/user/webhooks/
 */
export function parseForgejoEvent(
  name: string,
  bytes: Buffer,
  accountId: string | null = null,
): CodehostEvent {
  const isOfRun = runEvent.test(name)
  if (!isOfRun && name !== pullRequestEvent) return ignored('Signalbox doesn’t use this event.')
  const payload = readForeignJson(bytes)
  if (payload === undefined) return ignored('The body is not valid JSON.')
  return isOfRun ? readRun(payload, accountId) : readPullRequest(payload, accountId)
}

function readRun(payload: unknown, accountId: string | null): CodehostEvent {
  const { data } = body.safeParse(payload)
  const read = forgejoRun.safeParse(data?.content).data
  const repository = readRepository(data?.repository, accountId)
  if (read === undefined || repository === undefined) return unfit
  return { type: 'run', repository, run: read.run }
}

function readPullRequest(payload: unknown, accountId: string | null): CodehostEvent {
  const { data } = pullRequestBody.safeParse(payload)
  const repository = readRepository(data?.repository, accountId)
  if (data === undefined || repository === undefined) return unfit
  return { type: 'pullRequest', repository, pullRequest: data.pull_request }
}

function readRepository(of: unknown, accountId: string | null): CodehostRepository | undefined {
  const instance = instanceOfRepository(of, accountId)
  return instance === undefined ? undefined : repositoryOf(instance).safeParse(of).data
}
