import { readFile } from 'node:fs/promises'
import { isRecord, parseJsonObject } from '../project/json.ts'
import { CliError } from '../terminal/cli-error.ts'

type Variables = Readonly<Partial<Record<string, string>>>

/** Lists the events that run with the repository's secrets on code that others may have written. */
const unsafeEvents = new Set(['pull_request_target', 'workflow_run', 'issue_comment'])

/**
 * Refuses to load the definition of a pull request whose author would get our secrets: a definition is code.
 *
 * @see https://securitylab.github.com/resources/github-actions-preventing-pwn-requests/
 * @throws {CliError} `unsafe_event`
 */
export function assertSafeEvent(env: Variables): void {
  const event = env['GITHUB_EVENT_NAME'] ?? ''
  if (!unsafeEvents.has(event)) return
  throw new CliError(
    'usage',
    'unsafe_event',
    `The event ${event} gives untrusted code access to the repository's secrets.`,
    {
      advice:
        'Use "on: pull_request". For forks, the action checks the definition without a token, and everything else on the push to the branch.',
    },
  )
}

/** Returns the number of the pull request that triggered this run, or `undefined`. */
export async function findPullRequest(env: Variables): Promise<number | undefined> {
  const number = (await readPullRequest(env))?.['number']
  return typeof number === 'number' ? number : undefined
}

/**
 * Returns why GitHub gives no secrets to this run: the pull request is of a fork, or Dependabot triggered it. `undefined`:
 * it gives them.
 *
 * @see https://docs.github.com/en/actions/reference/security/secrets
 */
export async function findWithholding(env: Variables): Promise<'fork' | 'dependabot' | undefined> {
  if (env['GITHUB_ACTOR'] === 'dependabot[bot]') return 'dependabot'
  const source = (await readPullRequest(env))?.['head']
  if (!isRecord(source)) return undefined
  // `null`: the fork was deleted.
  const { repo = null } = source
  const name = isRecord(repo) ? repo['full_name'] : undefined
  return name === env['GITHUB_REPOSITORY'] ? undefined : 'fork'
}

async function readPullRequest(env: Variables): Promise<Record<string, unknown> | undefined> {
  const path = env['GITHUB_EVENT_PATH']
  if (path === undefined || path === '') return undefined
  const event = parseJsonObject(await readFile(path, 'utf8').catch(() => ''))
  const pullRequest = event?.['pull_request']
  return isRecord(pullRequest) ? pullRequest : undefined
}
