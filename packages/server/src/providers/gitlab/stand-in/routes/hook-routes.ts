import { empty, json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import type { GitlabApi, ProjectCall } from '../access.ts'
import { bodyOf, booleanOf, textOf } from '../body.ts'
import { badParameter, notFound, refuse } from '../errors.ts'
import type { GitlabHooks } from '../hooks/create-hooks.ts'
import { statusOf } from '../hooks/failing-hooks.ts'
import { answerPage } from '../paging.ts'
import type { GitlabParts } from '../parts.ts'
import { toHookUser } from '../shapes/people.ts'
import {
  triggers,
  type GitlabHook,
  type GitlabHookEvent,
  type GitlabState,
  type GitlabTrigger,
} from '../state.ts'

type HandleHook = (call: ProjectCall, hook: GitlabHook) => Answer | Promise<Answer>

const signingTokenPattern = /^whsec_[A-Za-z0-9+/]{43}=$/

/**
 * Creates the routes of a project's webhooks, which only maintainers reach.
 *
 * @see https://docs.gitlab.com/api/project_webhooks/
 */
export function hookRoutes({ state, hooks }: GitlabParts, api: GitlabApi): Route[] {
  const only = (at: string, handle: Parameters<GitlabApi['inProject']>[1]) =>
    api.inProject(at, handle, 'maintainer')
  return [
    only('GET /hooks', ({ request, project }) =>
      answerPage(state, request, [...project.hooks.values()], (hook) =>
        presentHook(state, project.id, hook),
      ),
    ),
    only('POST /hooks', (call) => createHook(state, call)),
    only(
      'GET /hooks/:hook_id',
      ofHook(({ project }, hook) => json(presentHook(state, project.id, hook))),
    ),
    only(
      'PUT /hooks/:hook_id',
      ofHook((call, hook) => changeHook(state, call, hook)),
    ),
    only(
      'DELETE /hooks/:hook_id',
      ofHook(({ project }, hook) => {
        project.hooks.delete(hook.id)
        return empty()
      }),
    ),
    only(
      'GET /hooks/:hook_id/events',
      ofHook(({ request }, hook) => listEvents(state, request.query.get('status'), hook, request)),
    ),
    only(
      'POST /hooks/:hook_id/events/:event_id/resend',
      ofHook(async ({ request, project }, hook) => {
        const event = hook.events.find(({ id }) => id === Number(request.params['event_id']))
        if (event === undefined) return notFound('Hook Log')
        return json({ response_status: await hooks.resend(project, hook, event) }, 201)
      }),
    ),
    only(
      'POST /hooks/:hook_id/test/:trigger',
      ofHook((call, hook) => testHook(hooks, call, hook)),
    ),
  ]
}

function ofHook(handle: HandleHook) {
  return (call: ProjectCall) => {
    const hook = call.project.hooks.get(Number(call.request.params['hook_id']))
    return hook === undefined ? notFound('Hook') : handle(call, hook)
  }
}

function createHook(state: GitlabState, { request, project }: ProjectCall): Answer {
  const body = bodyOf(request)
  const url = textOf(body['url'])
  if (url === undefined) return badParameter('url is missing')
  const violation = findViolation(state, url, body)
  if (violation !== undefined) return violation
  if (project.hooks.size >= state.settings.hooksPerProject) {
    const text = `Maximum number of project hooks (${state.settings.hooksPerProject}) exceeded`
    return refuse(422, { base: [text] })
  }
  const hook: GitlabHook = {
    id: state.nextId(),
    url,
    token: textOf(body['token']),
    signingToken: signingTokenOf(state, body),
    // Turns pushes on unless the caller turns them off.
    triggers: triggersOf(body, new Set<GitlabTrigger>(['push_events'])),
    enableSslVerification: booleanOf(body['enable_ssl_verification']) ?? true,
    name: textOf(body['name']) ?? null,
    description: textOf(body['description']) ?? null,
    createdAt: state.clock.now(),
    recentFailures: 0,
    disabledUntil: undefined,
    isDisabled: false,
    events: [],
  }
  project.hooks.set(hook.id, hook)
  return json(presentHook(state, project.id, hook), 201)
}

function changeHook(state: GitlabState, call: ProjectCall, hook: GitlabHook): Answer {
  const body = bodyOf(call.request)
  const url = textOf(body['url'])
  if (url === undefined) return badParameter('url is missing')
  const violation = findViolation(state, url, body)
  if (violation !== undefined) return violation
  const token = textOf(body['token'])
  // Another address without the token has none: nobody may read the secret by changing the address.
  if (token !== undefined) hook.token = token
  else if (url !== hook.url) hook.token = undefined
  hook.url = url
  hook.signingToken = signingTokenOf(state, body) ?? hook.signingToken
  hook.triggers = triggersOf(body, hook.triggers)
  hook.enableSslVerification =
    booleanOf(body['enable_ssl_verification']) ?? hook.enableSslVerification
  return json(presentHook(state, call.project.id, hook))
}

/** Sends an example of an event. A hook that is off is switched on again by a test that succeeds. */
async function testHook(
  hooks: GitlabHooks,
  { request, project, user }: ProjectCall,
  hook: GitlabHook,
): Promise<Answer> {
  const trigger = triggers.find((name) => name === request.params['trigger'])
  if (trigger === undefined) return badParameter('trigger does not have a valid value')
  const kind = trigger.replace(/_events$/, '')
  const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} Hook`
  const payload = { object_kind: kind, user: toHookUser(user) }
  const status = await hooks.test(hook, { project, trigger, name, payload })
  return /^2\d\d$/.test(status)
    ? refuse(201, '201 Created')
    : refuse(422, `Hook execution failed: ${status}`)
}

function findViolation(
  { settings }: GitlabState,
  url: string,
  body: Readonly<Record<string, unknown>>,
): Answer | undefined {
  const isUrl = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  const isLocal = isUrl && /^(localhost|\[::1\]|127(\.\d+){3})$/.test(new URL(url).hostname)
  if (!isUrl || (isLocal && !settings.allowsLocalHooks)) {
    return json({ error: 'Invalid url given' }, 422)
  }
  if (!settings.hasSigningTokens || body['signing_token'] === undefined) return undefined
  const signingToken = body['signing_token']
  if (typeof signingToken === 'string' && signingTokenPattern.test(signingToken)) return undefined
  return refuse(400, { signing_token: ['must be whsec_ and the base64 of 32 bytes'] })
}

/** Ignores the token without a word where the instance does not know it. */
function signingTokenOf(
  { settings }: GitlabState,
  body: Readonly<Record<string, unknown>>,
): string | undefined {
  return settings.hasSigningTokens ? textOf(body['signing_token']) : undefined
}

function triggersOf(
  body: Readonly<Record<string, unknown>>,
  before: ReadonlySet<GitlabTrigger>,
): ReadonlySet<GitlabTrigger> {
  return new Set(triggers.filter((name) => booleanOf(body[name]) ?? before.has(name)))
}

function presentHook(state: GitlabState, projectId: number, hook: GitlabHook) {
  const { id, url, createdAt, enableSslVerification, disabledUntil, name, description } = hook
  return {
    id,
    url,
    name,
    description,
    created_at: createdAt.toISOString(),
    ...Object.fromEntries(triggers.map((trigger) => [trigger, hook.triggers.has(trigger)])),
    enable_ssl_verification: enableSslVerification,
    alert_status: statusOf(state, hook),
    disabled_until: disabledUntil?.toISOString() ?? null,
    url_variables: [],
    custom_headers: [],
    project_id: projectId,
    ...(state.settings.hasSigningTokens && {
      token_present: hook.token !== undefined,
      signing_token_present: hook.signingToken !== undefined,
    }),
  }
}

const keptForMs = 7 * 24 * 60 * 60 * 1000

function listEvents(
  state: GitlabState,
  status: string | null,
  { events }: GitlabHook,
  request: ProjectCall['request'],
): Answer {
  const since = state.clock.now().getTime() - keptForMs
  const recent = events
    .filter(({ at, responseStatus }) => at.getTime() >= since && isOf(status, responseStatus))
    .toReversed()
  return answerPage(state, request, recent, presentEvent)
}

/** Returns whether a status is the expected one: a number, or one of a class of them. */
function isOf(expected: string | null, status: string): boolean {
  if (expected === null) return true
  const classes: Readonly<Record<string, RegExp>> = {
    successful: /^2/,
    client_failure: /^4/,
    server_failure: /^5|^internal error$/,
  }
  return classes[expected]?.test(status) ?? expected === status
}

function presentEvent(event: GitlabHookEvent) {
  return {
    id: event.id,
    url: event.url,
    trigger: event.trigger,
    request_headers: event.requestHeaders,
    request_data: event.requestData,
    response_headers: event.responseHeaders,
    response_body: event.responseBody,
    execution_duration: event.executionDuration,
    response_status: event.responseStatus,
  }
}
