import { json } from '../../../../../sandbox/src/http/answers.ts'
import { basicOf, bearerOf, readFields, readJson } from '../../../../../sandbox/src/http/fields.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../sandbox/src/http/route.ts'
import {
  missingScope,
  refuse,
  type SlackBody,
  type SlackMethod,
  type SlackParts,
} from './method.ts'
import { chatDelete, chatGetPermalink, chatUpdate, reactionsAdd } from './methods/change-message.ts'
import {
  conversationsHistory,
  conversationsInfo,
  conversationsJoin,
  conversationsReplies,
} from './methods/conversations.ts'
import { conversationsList, usersConversations } from './methods/list-conversations.ts'
import { accessOauth } from './methods/oauth-access.ts'
import { chatPostMessage } from './methods/post-message.ts'
import {
  appsUninstall,
  authRevoke,
  authTest,
  teamInfo,
  usersLookupByEmail,
} from './methods/workspace.ts'
import type { SlackToken } from './tokens.ts'

/** Maps the names of methods that need a token. */
const methods = new Map<string, SlackMethod>([
  ['apps.uninstall', appsUninstall],
  ['auth.revoke', authRevoke],
  ['auth.test', authTest],
  ['chat.delete', chatDelete],
  ['chat.getPermalink', chatGetPermalink],
  ['chat.postMessage', chatPostMessage],
  ['chat.update', chatUpdate],
  ['conversations.history', conversationsHistory],
  ['conversations.info', conversationsInfo],
  ['conversations.join', conversationsJoin],
  ['conversations.list', conversationsList],
  ['conversations.replies', conversationsReplies],
  ['reactions.add', reactionsAdd],
  ['team.info', teamInfo],
  ['users.conversations', usersConversations],
  ['users.lookupByEmail', usersLookupByEmail],
])

/** Creates `/slack/api/<method>`, by GET or POST. Every rejection is a 200 with `ok: false`, except for the rate limit's 429. */
export function createApiRoutes(parts: SlackParts): readonly Route[] {
  const handle = (request: SandboxRequest) => answerCall(parts, request)
  return [route('GET /:method', handle), route('POST /:method', handle)]
}

/** Returns Slack's rejection of a method that does not exist. */
export function unknownMethod({ path }: SandboxRequest): Answer {
  return json(refuse('unknown_method', { req_method: path.slice(1) }))
}

function answerCall(parts: SlackParts, request: SandboxRequest): Answer {
  const name = request.path.slice(1)
  const method = methods.get(name)
  if (method === undefined && name !== 'oauth.v2.access') return unknownMethod(request)
  const broken = jsonError(request)
  if (broken !== undefined) return json(refuse(broken))
  const fields = new Map([...request.query, ...sentFields(request)])
  if (method === undefined) {
    return json(accessOauth({ ...parts, fields, basic: basicOf(request) }))
  }
  const token = authorize(parts, tokenOf(request, fields))
  if (typeof token === 'string') return json(refuse(token))
  const lacksScope =
    method.scopes.length > 0 && !method.scopes.some((scope) => token.scopes.has(scope))
  const body = lacksScope
    ? missingScope(token, method.scopes[0] ?? '')
    : method.run({ ...parts, fields, token, origin: request.origin })
  return present(withCharsetWarning(body, request), token, method)
}

function present(body: SlackBody, token: SlackToken, { scopes }: SlackMethod): Answer {
  const headers = {
    'x-oauth-scopes': [...token.scopes].join(','),
    ...(scopes.length > 0 && { 'x-accepted-oauth-scopes': scopes.join(',') }),
  }
  if (!body.ok && body.error === 'ratelimited') {
    return json(body, 429, { ...headers, 'retry-after': '1' })
  }
  return json(body, 200, headers)
}

/** Returns the token of the header, or of the query or form. A token in a JSON body is ignored. */
function tokenOf(request: SandboxRequest, fields: ReadonlyMap<string, string>): string {
  const inFields = isJson(request) ? request.query.get('token') : fields.get('token')
  return bearerOf(request) || (inFields ?? '')
}

function authorize(
  { state, tokens }: SlackParts,
  value: string,
):
  | SlackToken
  | 'not_authed'
  | 'invalid_auth'
  | 'token_expired'
  | 'token_revoked'
  | 'account_inactive' {
  if (value === '') return 'not_authed'
  const token = tokens.find(value)
  if (token === undefined) return 'invalid_auth'
  if (token.endedBy !== undefined) return token.endedBy
  const { expiresAt } = token
  return expiresAt !== undefined && state.clock.now() >= expiresAt ? 'token_expired' : token
}

/** Returns the fields of the body. `null` in JSON counts as absent. */
function sentFields(request: SandboxRequest): readonly (readonly [string, string])[] {
  const fields = [...readFields(request)]
  if (!isJson(request)) return fields
  const sent = readJson(request)
  return fields.filter(([name]) => sent[name] !== null)
}

function isJson({ headers }: SandboxRequest): boolean {
  return (headers['content-type'] ?? '').includes('application/json')
}

function jsonError(request: SandboxRequest): 'invalid_json' | 'json_not_object' | undefined {
  if (!isJson(request) || request.body.length === 0) return undefined
  try {
    const value: unknown = JSON.parse(request.body.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? undefined
      : 'json_not_object'
  } catch {
    return 'invalid_json'
  }
}

/** Adds Slack's warning about JSON without a charset. */
function withCharsetWarning(body: SlackBody, request: SandboxRequest): SlackBody {
  const type = request.headers['content-type'] ?? ''
  if (!body.ok || !isJson(request) || type.includes('charset')) return body
  if ('warning' in body) return body
  const metadata = typeof body['response_metadata'] === 'object' ? body['response_metadata'] : {}
  return {
    ...body,
    warning: 'missing_charset',
    response_metadata: { ...metadata, warnings: ['missing_charset'] },
  }
}
