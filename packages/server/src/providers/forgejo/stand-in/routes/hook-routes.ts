import { empty, json } from '../../../../../../sandbox/src/http/answers.ts'
import { readJson } from '../../../../../../sandbox/src/http/fields.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import type { ForgejoApi, RepositoryCall } from '../access.ts'
import { notFound, refuse } from '../errors.ts'
import { answerPage } from '../paging.ts'
import type { ForgejoParts } from '../parts.ts'
import { presentHook } from '../shapes.ts'
import type { ForgejoHook, ForgejoState } from '../state.ts'

/** Lists the events that both know. */
const commonEvents = [
  'create',
  'delete',
  'push',
  'issues',
  'issue_assign',
  'issue_label',
  'issue_milestone',
  'issue_comment',
  'pull_request',
  'pull_request_assign',
  'pull_request_label',
  'pull_request_milestone',
  'pull_request_comment',
  'pull_request_sync',
  'release',
]
const ownEvents = {
  forgejo: ['action_run_success', 'action_run_failure', 'action_run_recover'],
  gitea: ['workflow_run', 'workflow_job'],
} as const

/**
 * Creates the routes of a repository's webhooks, which only its administrators reach.
 *
 * @see https://codeberg.org/api/swagger#/repository/repoCreateHook
 */
export function hookRoutes({ state }: ForgejoParts, api: ForgejoApi): Route[] {
  const only = (at: string, handle: Parameters<ForgejoApi['inRepository']>[1]) =>
    api.inRepository(at, handle, 'admin')
  return [
    only('GET /hooks', ({ request, repository }) =>
      answerPage(state, request, [...repository.hooks.values()], presentHook),
    ),
    only('POST /hooks', (call) => createHook(state, call)),
    only(
      'GET /hooks/:id',
      ofHook(state, (_call, hook) => json(presentHook(hook))),
    ),
    only(
      'PATCH /hooks/:id',
      ofHook(state, (call, hook) => changeHook(state, call, hook)),
    ),
    only(
      'DELETE /hooks/:id',
      ofHook(state, ({ repository }, hook) => {
        repository.hooks.delete(hook.id)
        return empty()
      }),
    ),
  ]
}

function ofHook(
  state: ForgejoState,
  handle: (call: RepositoryCall, hook: ForgejoHook) => Answer,
): (call: RepositoryCall) => Answer {
  return (call) => {
    const hook = call.repository.hooks.get(Number(call.request.params['id']))
    return hook === undefined ? notFound(state) : handle(call, hook)
  }
}

function createHook(state: ForgejoState, { request, repository }: RepositoryCall): Answer {
  const { type, config, events, active } = readJson(request)
  const types = state.settings.product === 'gitea' ? ['gitea'] : ['gitea', 'forgejo']
  if (typeof type !== 'string' || !types.includes(type)) {
    return refuse(state, 422, `Invalid hook type: ${String(type)}`)
  }
  const fields = recordOf(config)
  for (const name of ['url', 'content_type']) {
    if (typeof fields[name] !== 'string')
      return refuse(state, 422, `Missing config option: ${name}`)
  }
  const contentType = String(fields['content_type'])
  if (contentType !== 'json' && contentType !== 'form') {
    return refuse(state, 422, 'Invalid content type')
  }
  const now = state.clock.now()
  const hook: ForgejoHook = {
    id: state.nextId(),
    type,
    url: String(fields['url']),
    contentType,
    secret: typeof fields['secret'] === 'string' ? fields['secret'] : '',
    events: eventsOf(state, events),
    active: active === true,
    createdAt: now,
    updatedAt: now,
    delivered: [],
  }
  repository.hooks.set(hook.id, hook)
  return json(presentHook(hook), 201)
}

/** The secret stays as it is, whatever is sent. */
function changeHook(state: ForgejoState, { request }: RepositoryCall, hook: ForgejoHook): Answer {
  const { events, active } = readJson(request)
  hook.events = eventsOf(state, events)
  if (typeof active === 'boolean') hook.active = active
  hook.updatedAt = state.clock.now()
  return json(presentHook(hook))
}

/**
 * Leaves out what the instance does not know, without a word. None at all is `push`, `issues` is all five of issues, and `pull_request`
 * all of pull requests.
 */
function eventsOf({ settings }: ForgejoState, sent: unknown): readonly string[] {
  const request: unknown[] = Array.isArray(sent) && sent.length > 0 ? sent : ['push']
  const allOf = (name: string, start: string) =>
    request.includes(name) ? commonEvents.filter((each) => each.startsWith(start)) : []
  const names = new Set([
    ...request,
    ...allOf('issues', 'issue'),
    ...allOf('pull_request', 'pull_request'),
    ...(request.includes('issues_only') ? ['issues'] : []),
    ...(request.includes('pull_request_only') ? ['pull_request'] : []),
  ])
  return [...commonEvents, ...ownEvents[settings.product]].filter((name) => names.has(name))
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {}
}
