import { readPullRequestEvent } from '../pipeline/pull-request-event.ts'
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
  return (await readPullRequestEvent(env))?.number
}
