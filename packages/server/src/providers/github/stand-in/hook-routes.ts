import { json } from '../../../../../sandbox/src/http/answers.ts'
import { readJson } from '../../../../../sandbox/src/http/fields.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../sandbox/src/http/route.ts'
import type { Delivery } from './hooks/delivery-log.ts'
import { pingApp } from './hooks/ping-app.ts'
import { onlyForApps } from './access/only-for.ts'
import { linkHeader, perPageOf } from './page-of.ts'
import { notFound, refuse } from './errors.ts'
import { toHookConfig } from './shapes/app.ts'
import { toDelivery, toDeliveryItem } from './shapes/delivery.ts'
import type { GithubApp } from './state.ts'
import type { GithubParts } from './parts.ts'

type Parts = Pick<GithubParts, 'state' | 'identify' | 'hooks'>

/**
 * Creates the routes of an app's webhook: its configuration, and its deliveries with their responses.
 *
 * @see https://docs.github.com/en/rest/apps/webhooks
 */
export function createHookRoutes({ state, identify, hooks }: Parts): Route[] {
  const { deliveries } = hooks
  const path = '/app/hook/deliveries/:deliveryId'
  const find = (app: GithubApp, { params }: SandboxRequest) =>
    deliveries.find(app.id, Number(params['deliveryId']))
  return [
    route(
      'GET /app/hook/config',
      onlyForApps(identify, (app) => json(toHookConfig(app))),
    ),
    route(
      'PATCH /app/hook/config',
      onlyForApps(identify, (app, request) => {
        const refused = changeConfig(app, readJson(request))
        if (refused !== undefined) return refused
        app.updatedAt = state.clock.now()
        pingApp(state, hooks.emit, app)
        return json(toHookConfig(app))
      }),
    ),
    route(
      'GET /app/hook/deliveries',
      onlyForApps(identify, (app, request) => listDeliveries(deliveries.list(app.id), request)),
    ),
    route(
      `GET ${path}`,
      onlyForApps(identify, (app, request) => {
        const delivery = find(app, request)
        return delivery === undefined ? notFound() : json(toDelivery(delivery))
      }),
    ),
    route(
      `POST ${path}/attempts`,
      onlyForApps(identify, (app, request) => {
        const delivery = find(app, request)
        if (delivery === undefined) return notFound()
        hooks.redeliver(delivery)
        return json({}, 202)
      }),
    ),
  ]
}

/** Changes the members of the request, or returns the rejection without having changed anything. */
function changeConfig(
  app: GithubApp,
  { url, content_type: contentType, secret }: Readonly<Record<string, unknown>>,
): Answer | undefined {
  const isType = contentType === 'json' || contentType === 'form'
  if (contentType !== undefined && !isType) return invalid('content_type')
  if (secret !== undefined && typeof secret !== 'string') return invalid('secret')
  if (url !== undefined && !(typeof url === 'string' && URL.canParse(url))) return invalid('url')
  if (isType) app.webhookContentType = contentType
  if (secret !== undefined) app.webhookSecret = secret
  if (url !== undefined) app.webhookUrl = url
  return undefined
}

function invalid(field: string): Answer {
  const errors = [{ resource: 'Hook', code: 'invalid', field }]
  return refuse(422, 'Validation Failed', { errors })
}

/** Lists deliveries, newest first. The cursor is the id of the last one shown. */
function listDeliveries(all: readonly Delivery[], request: SandboxRequest): Answer {
  const cursor = request.query.get('cursor')
  const status = request.query.get('status')
  if (status !== null && status !== 'success' && status !== 'failure') return invalid('status')
  if (cursor !== null && !/^\d+$/.test(cursor)) return refuse(400, 'Invalid cursor')
  const matches = all.filter(
    ({ id, statusCode }) =>
      (cursor === null || id < Number(cursor)) &&
      (status === null || (status === 'success') === isSuccess(statusCode)),
  )
  const page = matches.slice(0, perPageOf(request))
  const last = page.at(-1)
  const isMore = last !== undefined && matches.length > page.length
  const headers = linkHeader(isMore ? [['next', { cursor: String(last.id) }]] : [], request)
  return json(page.map(toDeliveryItem), 200, headers)
}

function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 400
}
