import type { Sandbox } from '@signalbox/sandbox'
import type { ProofService } from './proof-service.ts'

/** Waits for posts and messages on a machine that is busy. */
export const patienceMs = 120_000

/** Counts the requests to a path that ends so. */
export const countOf = ({ log }: Sandbox, path: string) =>
  log.list().filter((request) => request.path.endsWith(path)).length

/** `unanswered`: the chat has the message, and says nothing. `unsent`: it does not have it either. */
export type Post = 'unanswered' | 'unsent'

/** Has the next post of a message never answered. */
export function stopPosts({ faults }: Sandbox, post: Post): void {
  const never = new Promise<never>(() => {})
  const fault =
    post === 'unanswered' ? ({ kind: 'hang' } as const) : ({ kind: 'hold', until: never } as const)
  faults.add({ provider: 'slack', request: 'POST /chat.postMessage', fault })
}

/** Counts the calls that post a message, change it, or look for it. */
export const messageCallsOf = ({ log }: Sandbox) =>
  log.list().filter(({ path }) => /\/(?:chat|conversations)\./.test(path)).length

/** Measures from now on, in milliseconds. */
export function openWatch(): () => number {
  const begunAt = performance.now()
  return () => Math.round(performance.now() - begunAt)
}

/** Lists the messages about a commit. */
export const messagesOf = ({ slack }: Sandbox, sha: string) =>
  slack
    .messages('deployments')
    .map((message) => JSON.stringify(message))
    .filter((text) => text.includes(`\`${sha.slice(0, 8)}\` · by ada`))

/** Returns whether the deployment of a commit has a message, and no message waits or is held by a node. */
export async function isSettled(
  sandbox: Sandbox,
  { asOwner }: Pick<ProofService, 'asOwner'>,
  sha: string,
): Promise<boolean> {
  const [row] = await asOwner<{ behind: number }>(
    'select count(*)::int as behind from notifications where sent_rev < desired_rev or lease_until > now()',
  )
  return messagesOf(sandbox, sha).length > 0 && row?.behind === 0
}
