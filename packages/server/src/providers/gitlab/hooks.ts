import { z } from 'zod'
import { takeRandomBytes } from '../../crypto/random.ts'
import type { OutboundAnswer } from '../../egress/create-egress.ts'
import type { CodehostHooks, HookReport, HookRequest } from '../codehosts/hooks.ts'
import { ProviderError } from '../provider-error.ts'
import { standardSecretPrefix } from '../webhooks/webhook-claim.ts'
import { getPage, readAnswer, type GitlabRequests } from './api-request.ts'
import { readProjectId } from './instance.ts'
import { externalId, list, textOrNull } from '../codehosts/fields.ts'

const gitlabHook = z.object({
  id: externalId,
  url: z.string(),
  deployment_events: z.boolean().catch(false),
  pipeline_events: z.boolean().catch(false),
  issues_events: z.boolean().catch(false),
  merge_requests_events: z.boolean().catch(false),
  alert_status: textOrNull,
  signing_token_present: z.boolean().nullish().catch(null),
})
type GitlabHook = z.output<typeof gitlabHook>

/** Holds what a hook is made with: the token of every version, and the signing token of newer ones. */
interface HookSecrets {
  readonly token: string | undefined
  readonly signingToken: string | undefined
}

function readSecrets(secrets: readonly string[]): HookSecrets {
  return {
    token: secrets.find((secret) => !secret.startsWith(standardSecretPrefix)),
    signingToken: secrets.find((secret) => secret.startsWith(standardSecretPrefix)),
  }
}

/** Names a hook. Example: `gitlab.com/42#7`. */
function refOf(repositoryId: string, hookId: string): string {
  return `${repositoryId}#${hookId}`
}

/** Returns the path of a hook; `undefined` for one of another instance. */
export function hookPath(instance: string, ref: string): string | undefined {
  const [repositoryId = '', hookId = ''] = ref.split('#', 2)
  const projectId = readProjectId(instance, repositoryId)
  return projectId === undefined || !/^\d{1,20}$/.test(hookId)
    ? undefined
    : `/projects/${projectId}/hooks/${hookId}`
}

/**
 * Makes the webhooks of projects. Two schemes prove where one comes from: the token itself, and from GitLab 19.1 on a signature of
 * Standard Webhooks, which an older instance ignores without a word. Once every hook says that it signs, the token is forgotten,
 * and a webhook without a signature is refused from then on.
 *
 * @see https://docs.gitlab.com/api/project_webhooks/
 */
export function createGitlabHooks(requests: GitlabRequests, instance: string): CodehostHooks {
  return {
    newSecrets: () => [
      takeRandomBytes(32).toString('base64url'),
      `${standardSecretPrefix}${takeRandomBytes(32).toString('base64')}`,
    ],
    install: (request) => installHooks(requests, instance, request),
  }
}

async function installHooks(
  requests: GitlabRequests,
  instance: string,
  request: HookRequest,
): Promise<HookReport> {
  const results: HookResult[] = []
  for (const [index, repositoryId] of request.repositoryIds.entries()) {
    const projectId = readProjectId(instance, repositoryId)
    if (projectId !== undefined) {
      results.push(await installHook(requests, { request, repositoryId, projectId }))
    }
    await request.onProgress?.(index + 1)
  }
  for (const ref of request.hooks.filter((each) => !isOfAny(each, request.repositoryIds))) {
    const path = hookPath(instance, ref)
    if (path !== undefined) await removeUnlessLost(requests, path)
  }
  const { secrets } = request
  const made = results.flatMap((result) => ('hook' in result ? [result] : []))
  // One that could not be looked at sends on as it was made, perhaps with the token alone.
  const left = results.flatMap((result) => ('former' in result ? result.former : []))
  const areAllSigned = left.length === 0 && made.every(({ hook }) => isSigned(hook))
  const isNarrowed = made.length > 0 && areAllSigned
  return {
    secrets: isNarrowed ? secrets.filter((each) => each.startsWith(standardSecretPrefix)) : secrets,
    hooks: [...made.map(({ ref }) => ref), ...left],
    problem: explain(
      results.flatMap((result) => failuresOf(result, secrets)),
      request.url,
    ),
  }
}

/**
 * Holds what became of the webhook of a project. `former`: the webhooks that are known of a project that could not be looked at.
 * `isGone`: the project is no longer there, or hidden from this person.
 */
type HookResult =
  | { readonly ref: string; readonly hook: GitlabHook }
  | { readonly failure: HookFailure; readonly former: readonly string[] }
  | { readonly isGone: true }

function isSigned(hook: GitlabHook): boolean {
  return hook.signing_token_present === true
}

function failuresOf(result: HookResult, secrets: readonly string[]): HookFailure[] {
  if ('failure' in result) return [result.failure]
  // The next sync says so.
  if ('isGone' in result) return []
  const { hook } = result
  const isUnproven = !isSigned(hook) && readSecrets(secrets).token === undefined
  return [
    ...(hook.alert_status === 'temporarily_disabled' ? (['pausedByGitlab'] as const) : []),
    ...(isUnproven ? (['signsNoMore'] as const) : []),
  ]
}

function isOfAny(ref: string, repositoryIds: readonly string[]): boolean {
  return repositoryIds.includes(ref.split('#', 1)[0] ?? '')
}

/** Names why a project has no webhook that works. */
type HookFailure = 'role' | 'address' | 'tooMany' | 'refused' | 'pausedByGitlab' | 'signsNoMore'

async function installHook(
  requests: GitlabRequests,
  of: {
    readonly request: HookRequest
    readonly repositoryId: string
    readonly projectId: string
  },
): Promise<HookResult> {
  const { request, repositoryId, projectId } = of
  const path = `/projects/${projectId}/hooks`
  const former = request.hooks.filter((ref) => isOfAny(ref, [repositoryId]))
  try {
    const { current, isKnown, others } = await findHooks(requests, path, of)
    for (const other of others) await removeHook(requests, `${path}/${other.id}`)
    if (current !== undefined && isKnown && isComplete(current, request)) {
      return { ref: refOf(repositoryId, current.id), hook: current }
    }
    const answer = await writeHook(requests, path, { request, current })
    if (answer.status === 422) return { failure: failureOf(answer.body.toString('utf8')), former }
    const hook = readAnswer(answer, gitlabHook)
    return { ref: refOf(repositoryId, hook.id), hook }
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'notFound') return { isGone: true }
    return { failure: failureOfError(error), former }
  }
}

/** GitLab switches a webhook on again after a test alone, which is no call of the API everywhere: another one is on. */
async function writeHook(
  requests: GitlabRequests,
  path: string,
  { request, current }: { readonly request: HookRequest; readonly current: GitlabHook | undefined },
): Promise<OutboundAnswer> {
  const options = { json: toHookBody(request), accept: [422] }
  if (current === undefined) return requests.send('POST', path, options)
  if (current.alert_status !== 'disabled') {
    return requests.send('PUT', `${path}/${current.id}`, options)
  }
  await removeHook(requests, `${path}/${current.id}`)
  return requests.send('POST', path, options)
}

/** Returns what an error of a call means for the webhook; throws what means nothing for it. */
function failureOfError(error: unknown): HookFailure {
  const failure = error instanceof ProviderError ? error.failure : undefined
  if (failure === 'forbidden') return 'role'
  if (failure === 'rejected') return 'refused'
  throw error
}

/** A hook that is there, gets what we need, and signs as soon as its instance can. */
function isComplete(hook: GitlabHook, { url, secrets, withIssues }: HookRequest): boolean {
  const wantsSignature = hook.signing_token_present === false
  const isOn = hook.alert_status !== 'disabled'
  return (
    isOn &&
    hook.url === url &&
    hook.deployment_events &&
    hook.pipeline_events &&
    hook.merge_requests_events &&
    hook.issues_events === withIssues &&
    !(wantsSignature && readSecrets(secrets).signingToken !== undefined)
  )
}

interface OwnHooks {
  /** The webhook that stays. */
  readonly current: GitlabHook | undefined
  /** True: it is stored that this server made it. */
  readonly isKnown: boolean
  /** Lists those that this server has made beside it, such as one whose answer was lost, or of a connection that has ended. */
  readonly others: readonly GitlabHook[]
}

/**
 * Finds the webhooks of this server in a project: those that it knows, wherever they send now, those that send to its address, and
 * those of connections that have ended.
 */
async function findHooks(
  requests: GitlabRequests,
  path: string,
  { request, repositoryId }: { readonly request: HookRequest; readonly repositoryId: string },
): Promise<OwnHooks> {
  const isKnown = (hook: GitlabHook) => request.hooks.includes(refOf(repositoryId, hook.id))
  const isFormer = ({ url }: GitlabHook) => request.formerPaths.some((end) => url.endsWith(end))
  const hooks = await listHooks(requests, path)
  const own = hooks.filter((hook) => isKnown(hook) || hook.url === request.url)
  const current = own.find(isKnown) ?? own[0]
  return {
    current,
    isKnown: current !== undefined && isKnown(current),
    others: hooks.filter((hook) => hook !== current && (own.includes(hook) || isFormer(hook))),
  }
}

/** Bounds the pages, of 100 webhooks, that a project may have: an instance that always names a next page would never end. */
const pagesMax = 50

async function listHooks(requests: GitlabRequests, path: string): Promise<GitlabHook[]> {
  const hooks: GitlabHook[] = []
  let page: string | undefined = '1'
  for (let pages = 0; page !== undefined && pages < pagesMax; pages += 1) {
    const read: Awaited<ReturnType<typeof getPage<typeof gitlabHook>>> = await getPage(
      requests,
      { path, page },
      { list, item: gitlabHook },
    )
    hooks.push(...read.items)
    page = read.nextPage
  }
  return hooks
}

/** A change of the address without the token clears it, so that all of it is sent each time. */
function toHookBody({ url, secrets, withIssues }: HookRequest) {
  const { token, signingToken } = readSecrets(secrets)
  return {
    url,
    name: 'Signalbox',
    push_events: false,
    deployment_events: true,
    pipeline_events: true,
    merge_requests_events: true,
    issues_events: withIssues,
    enable_ssl_verification: url.startsWith('https://'),
    ...(token !== undefined && { token }),
    ...(signingToken !== undefined && { signing_token: signingToken }),
  }
}

/** Removes a hook. One that is gone is fine. @throws {ProviderError} */
async function removeHook({ send }: Pick<GitlabRequests, 'send'>, path: string): Promise<void> {
  await send('DELETE', path, { accept: [404] })
}

/** Removes a hook, unless the person has lost the role for it: what it sends of a project that does not count is ignored. */
export async function removeUnlessLost(
  requests: Pick<GitlabRequests, 'send'>,
  path: string,
): Promise<void> {
  try {
    await removeHook(requests, path)
  } catch (error) {
    if (!(error instanceof ProviderError) || error.failure !== 'forbidden') throw error
  }
}

function failureOf(body: string): HookFailure {
  if (/invalid url|local network|not allowed|blocked/i.test(body)) return 'address'
  return /maximum number/i.test(body) ? 'tooMany' : 'refused'
}

const sentences: Readonly<Record<HookFailure, (of: { count: string; url: string }) => string>> = {
  role: ({ count }) =>
    `GitLab doesn’t let this person create webhooks in ${count}. Give them the role Maintainer there.`,
  address: ({ url }) =>
    `GitLab refuses webhooks to ${new URL(url).origin}. If this server is in GitLab’s own network, an administrator of GitLab allows webhooks to the local network.`,
  tooMany: ({ count }) => `GitLab’s limit of webhooks is reached in ${count}. Remove one there.`,
  refused: ({ count }) => `GitLab refused a webhook in ${count}.`,
  pausedByGitlab: ({ count }) =>
    `GitLab has paused the webhook in ${count} after failed deliveries, and tries again on its own.`,
  signsNoMore: ({ count }) =>
    `GitLab no longer signs the webhook in ${count}, so Signalbox refuses it. Connect GitLab again.`,
}

/** Says what is wrong, most common first. Deployments are asked for every five minutes all the same. */
function explain(failures: readonly HookFailure[], url: string): string | null {
  if (failures.length === 0) return null
  const counts = new Map<HookFailure, number>()
  for (const failure of failures) counts.set(failure, (counts.get(failure) ?? 0) + 1)
  const reports = [...counts].map(([failure, count]) =>
    sentences[failure]({ count: count === 1 ? 'one project' : `${count} projects`, url }),
  )
  return [...reports, 'Until then, Signalbox asks GitLab every five minutes.'].join(' ')
}
