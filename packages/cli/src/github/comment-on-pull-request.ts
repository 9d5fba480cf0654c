import { isRecord } from '../project/json.ts'

type Variables = Readonly<Partial<Record<string, string>>>

/** Describes the comment to write. */
export interface CommentRequest {
  readonly env: Variables
  readonly token: string
  readonly pullRequest: number
  /** Holds the beginning of our comment, which identifies it. */
  readonly mark: string
  readonly body: string
  /** Says whether to create a comment when there is none. */
  readonly isChange: boolean
}

/** Names the result of a comment. `refused`: the token may not comment, like that of a fork. */
export type Commented =
  | { readonly outcome: 'created' | 'updated'; readonly url: string }
  | { readonly outcome: 'unchanged' | 'refused' }

const timeLimitMs = 15_000
const perPage = 100
/** Limits the pages of comments to read. */
const mostPages = 20

/**
 * Creates or updates our one comment on a pull request. Comments of others are never changed, even if they begin like
 * ours.
 *
 * @throws {Error} for responses that no permission explains
 */
export async function commentOnPullRequest(request: CommentRequest): Promise<Commented> {
  const { body, isChange, mark } = request
  const list = await listComments(request)
  if (list === 'refused') return { outcome: 'refused' }
  const own = list.find(({ body: text, user }) => text.startsWith(mark) && isBot(user))
  if (own?.body === body || (own === undefined && !isChange)) return { outcome: 'unchanged' }
  return write(request, own)
}

async function write(
  request: CommentRequest,
  own: ExistingComment | undefined,
): Promise<Commented> {
  const { body, pullRequest } = request
  const answer =
    own === undefined
      ? await ask(request, 'POST', `/issues/${pullRequest}/comments`, { body })
      : await ask(request, 'PATCH', `/issues/comments/${own.id}`, { body })
  if (answer.status === 403 || answer.status === 404) return { outcome: 'refused' }
  const made = answer.ok ? await answer.json() : undefined
  if (!isRecord(made)) throw new Error(`GitHub answered ${answer.status} to a comment`)
  const url = typeof made['html_url'] === 'string' ? made['html_url'] : ''
  return { outcome: own === undefined ? 'created' : 'updated', url }
}

interface ExistingComment {
  readonly id: number
  readonly body: string
  readonly user: unknown
}

async function listComments(request: CommentRequest): Promise<ExistingComment[] | 'refused'> {
  const comments: ExistingComment[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const path = `/issues/${request.pullRequest}/comments?per_page=${perPage}&page=${page}`
    const answer = await ask(request, 'GET', path)
    if (answer.status === 403 || answer.status === 404) return 'refused'
    const items: unknown = answer.ok ? await answer.json() : undefined
    if (!Array.isArray(items)) throw new Error(`GitHub answered ${answer.status} to a list`)
    for (const item of items) {
      if (isRecord(item) && typeof item['id'] === 'number' && typeof item['body'] === 'string') {
        comments.push({ id: item['id'], body: item['body'], user: item['user'] })
      }
    }
    if (items.length < perPage) break
  }
  return comments
}

/** Matches our comment. A workflow's token comments as a bot, so comments of people do not match. */
function isBot(user: unknown): boolean {
  return isRecord(user) && user['type'] === 'Bot'
}

function ask(
  { env, token }: CommentRequest,
  method: string,
  path: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const api = env['GITHUB_API_URL'] ?? 'https://api.github.com'
  return fetch(`${api}/repos/${env['GITHUB_REPOSITORY'] ?? ''}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'user-agent': 'signalbox-action',
      'x-github-api-version': '2022-11-28',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    redirect: 'error',
    signal: AbortSignal.timeout(timeLimitMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
