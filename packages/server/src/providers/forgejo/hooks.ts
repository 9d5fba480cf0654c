import { z } from 'zod'
import { takeRandomBytes } from '../../crypto/random.ts'
import type { CodehostHooks, HookReport, HookRequest } from '../codehosts/hooks.ts'
import { ProviderError } from '../provider-error.ts'
import { getPage, readAnswer, type ForgejoRequests } from './api-request.ts'
import type { RepositoryPaths } from './repository-paths.ts'
import { externalId, list } from '../codehosts/fields.ts'

/** Lists the events that tell how runs end: Forgejo's, then Gitea's. Each instance ignores what it does not know. */
const runEvents = [
  'action_run_success',
  'action_run_failure',
  'action_run_recover',
  'workflow_run',
] as const

/**
 * Lists the events of issues: their title, state and assignee. To ask for `issues` would be to ask for labels, milestones and comments
 * as well, so that a webhook is asked for `issues_only`, which it then lists as `issues`.
 */
const issueEvents = ['issues', 'issue_assign'] as const
const askedIssueEvents = ['issues_only', 'issue_assign'] as const

/** Lists the events of pull requests: their state, and what is pushed to them. They are asked for as those of issues are. */
const pullRequestEvents = ['pull_request', 'pull_request_sync'] as const
const askedPullRequestEvents = ['pull_request_only', 'pull_request_sync'] as const

const forgejoHook = z.object({
  id: externalId,
  active: z.boolean().catch(true),
  events: z.array(z.string()).nullish().catch([]),
  config: z.object({ url: z.string().catch(''), content_type: z.string().catch('') }),
})
type ForgejoHook = z.output<typeof forgejoHook>

/** Names a webhook. Example: `codeberg.org/42#7`. */
function refOf(repositoryId: string, hookId: string): string {
  return `${repositoryId}#${hookId}`
}

function readRef(ref: string): { readonly repositoryId: string; readonly hookId: string } {
  const [repositoryId = '', hookId = ''] = ref.split('#', 2)
  return { repositoryId, hookId }
}

/** Describes what webhooks are made with. */
export interface HookCalls {
  readonly requests: ForgejoRequests
  readonly paths: RepositoryPaths
}

/**
 * Makes the webhooks of repositories. The secret of one can't be changed, so one that is not ours, or not as it should be, is replaced.
 *
 * @see https://forgejo.org/docs/latest/user/webhooks/
 */
export function createForgejoHooks(calls: HookCalls): CodehostHooks {
  return {
    newSecrets: () => [takeRandomBytes(32).toString('base64url')],
    install: (request) => installHooks(calls, request),
  }
}

async function installHooks(calls: HookCalls, request: HookRequest): Promise<HookReport> {
  const refs: string[] = []
  const failures: HookFailure[] = []
  for (const repositoryId of request.repositoryIds) {
    const made = await installHook(calls, request, repositoryId)
    if ('hookId' in made) {
      refs.push(refOf(repositoryId, made.hookId))
    } else {
      failures.push(made.failure)
      // It may still be there: the end of the connection removes it.
      refs.push(...request.hooks.filter((ref) => readRef(ref).repositoryId === repositoryId))
    }
  }
  for (const ref of request.hooks) {
    if (!request.repositoryIds.includes(readRef(ref).repositoryId)) await removeHook(calls, ref)
  }
  return { secrets: request.secrets, hooks: refs, problem: explain(failures) }
}

/** Names why a repository has no webhook. */
type HookFailure = 'role' | 'refused'

async function installHook(
  { requests, paths }: HookCalls,
  request: HookRequest,
  repositoryId: string,
): Promise<{ readonly hookId: string } | { readonly failure: HookFailure }> {
  try {
    const repository = await paths.current(repositoryId)
    const path = `${repository}/hooks`
    const current = await listOwnHooks(requests, path, request)
    const complete = current.find(
      (hook) => request.hooks.includes(refOf(repositoryId, hook.id)) && isComplete(hook, request),
    )
    for (const { id } of current.filter((hook) => hook !== complete)) {
      await requests.send('DELETE', `${path}/${id}`, { accept: [404] })
    }
    if (complete !== undefined) return { hookId: complete.id }
    const answer = await requests.send('POST', path, { json: toHookBody(request) })
    return { hookId: readAnswer(answer, z.object({ id: externalId })).id }
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

/** Returns what an error means for the webhook of one repository; throws what concerns the whole account. */
function failureOf(error: unknown): HookFailure {
  const failure = error instanceof ProviderError ? error.failure : undefined
  if (failure === 'forbidden' || failure === 'notFound') return 'role'
  if (failure === 'rejected') return 'refused'
  throw error
}

/** An instance that knows none of the events of runs leaves them out. Its webhook is as complete as it can be. */
function isComplete(
  { active, events: listed, config }: ForgejoHook,
  { withIssues }: Pick<HookRequest, 'withIssues'>,
): boolean {
  const events = listed ?? []
  const always: readonly string[] = [...runEvents, ...pullRequestEvents]
  const own = withIssues ? [...always, ...issueEvents] : always
  const hasOthers = events.some((event) => !own.includes(event))
  const hasPullRequests = pullRequestEvents.every((event) => events.includes(event))
  const hasIssues = issueEvents.every((event) => events.includes(event))
  const isOn = active && config.content_type === 'json'
  return isOn && !hasOthers && hasPullRequests && hasIssues === withIssues
}

/** Bounds the pages, of 50 webhooks, that a repository may have: an instance that always names a next page would never end. */
const pagesMax = 100

async function listOwnHooks(
  requests: Pick<ForgejoRequests, 'get'>,
  path: string,
  { url, formerPaths }: Pick<HookRequest, 'url' | 'formerPaths'>,
): Promise<readonly ForgejoHook[]> {
  const isOwn = ({ config }: ForgejoHook) =>
    config.url === url || formerPaths.some((end) => config.url.endsWith(end))
  const own: ForgejoHook[] = []
  let page: string | undefined = '1'
  for (let pages = 0; page !== undefined && pages < pagesMax; pages += 1) {
    const read: Awaited<ReturnType<typeof getPage<typeof forgejoHook>>> = await getPage(
      requests,
      { path, page },
      { list, item: forgejoHook },
    )
    own.push(...read.items.filter(isOwn))
    page = read.nextPage
  }
  return own
}

/** `gitea` is a type that both know: its webhooks carry the headers and the body of either. */
function toHookBody({ url, secrets, withIssues }: HookRequest) {
  return {
    type: 'gitea',
    active: true,
    branch_filter: '*',
    events: [...runEvents, ...askedPullRequestEvents, ...(withIssues ? askedIssueEvents : [])],
    config: { url, content_type: 'json', secret: secrets[0] ?? '' },
  }
}

/** Removes a webhook. One that is gone, with its repository perhaps, is fine. @throws {ProviderError} */
export async function removeHook({ requests, paths }: HookCalls, ref: string): Promise<void> {
  const { repositoryId, hookId } = readRef(ref)
  if (!/^\d{1,20}$/.test(hookId)) return
  try {
    const repository = await paths.current(repositoryId)
    await requests.send('DELETE', `${repository}/hooks/${hookId}`, { accept: [404] })
  } catch (error) {
    // The person may have lost the role meanwhile: the webhook then ends with its secret.
    const isLost =
      error instanceof ProviderError &&
      (error.failure === 'notFound' || error.failure === 'forbidden')
    if (!isLost) throw error
  }
}

const sentences: Readonly<Record<HookFailure, (count: string) => string>> = {
  role: (count) =>
    `Forgejo doesn’t let this person create webhooks in ${count}. Make them an administrator of the repository there.`,
  refused: (count) => `Forgejo refused a webhook in ${count}.`,
}

function explain(failures: readonly HookFailure[]): string | null {
  if (failures.length === 0) return null
  const reports = (['role', 'refused'] as const).flatMap((failure) => {
    const count = failures.filter((one) => one === failure).length
    const named = count === 1 ? 'one repository' : `${count} repositories`
    return count === 0 ? [] : [sentences[failure](named)]
  })
  return [...reports, 'Until then, Signalbox asks Forgejo how the test runs it started end.'].join(
    ' ',
  )
}
