import { readFile } from 'node:fs/promises'
import { isRecord, parseJsonObject } from '../project/json.ts'

type Variables = Readonly<Partial<Record<string, string>>>

/** Describes the pull request that a run of Actions is of. */
export interface PullRequestEvent {
  readonly number: number | undefined
  /** Holds its newest commit. The run itself may be of a merge of it. */
  readonly headSha: string | undefined
  readonly headRef: string | undefined
  /** Says that it comes from another repository, or from one that is gone. */
  readonly isFork: boolean
}

/** Returns the pull request that triggered this run of Actions, or `undefined`. */
export async function readPullRequestEvent(env: Variables): Promise<PullRequestEvent | undefined> {
  const path = env['GITHUB_EVENT_PATH']
  if (path === undefined || path === '') return undefined
  const event = parseJsonObject(await readFile(path, 'utf8').catch(() => ''))
  const pullRequest = event?.['pull_request']
  if (!isRecord(pullRequest)) return undefined
  const { number, head } = pullRequest
  return {
    number: typeof number === 'number' ? number : undefined,
    headSha: textOf(head, 'sha'),
    headRef: textOf(head, 'ref'),
    isFork: isRecord(head) && nameOf(head['repo']) !== env['GITHUB_REPOSITORY'],
  }
}

/** `null`: the fork was deleted. */
function nameOf(repository: unknown): string | undefined {
  return textOf(repository, 'full_name')
}

function textOf(record: unknown, name: string): string | undefined {
  const value = isRecord(record) ? record[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/**
 * Returns why this run gets no secrets and no token: the pull request is of a fork, or Dependabot triggered it. `undefined`: it gets
 * them.
 *
 * @see https://docs.github.com/en/actions/reference/security/secrets
 */
export async function findWithholding(env: Variables): Promise<'fork' | 'dependabot' | undefined> {
  if (env['GITHUB_ACTOR'] === 'dependabot[bot]') return 'dependabot'
  return (await readPullRequestEvent(env))?.isFork === true ? 'fork' : undefined
}
