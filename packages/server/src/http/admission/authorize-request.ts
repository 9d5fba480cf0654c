import { limits, Problem, type Permission } from '@signalbox/contract'
import { acceptedBody, type EndpointShape } from '@signalbox/contract/rest'
import type { z } from 'zod'
import { isDryRun, requireWriting } from './access.ts'
import type { IdempotencyClaim, Scope } from '../../store/scope.ts'
import {
  authorizeActor,
  isStillAuthorized,
  type ActorDeps,
  type Authorized,
} from './authorize-actor.ts'
import { checkGuarded } from './credential-guard.ts'
import { refuseReadOfOtherSite } from './csrf.ts'
import { hasBody, readBody, refuseEncoded, requireJson } from '../input/body.ts'
import type { BodyBudget } from '../input/body-budget.ts'
import type { Cursors } from '../input/cursors.ts'
import type { EndpointRequest } from '../input/endpoint-request.ts'
import { bodyHeaders, type Exchange } from '../exchange.ts'
import { parseIdempotencyKey, type HashRequest } from './idempotency-key.ts'
import { readJson } from '../input/json.ts'
import { splitBody } from '../input/read-only-fields.ts'
import { permissionsOf } from './permissions.ts'
import { joinPreconditions, parseIfMatch } from './preconditions.ts'
import { requireRecentPassword } from './recent-password.ts'
import { takeReveal } from './take-allowance.ts'
import { validateBody, validateQuery } from '../input/validate.ts'

/** Lists what the checks of a request need. */
export interface GuardDeps extends ActorDeps {
  readonly cursors: Cursors
  readonly hashRequest: HashRequest
  /** Limits the bodies of senders who are not known yet. */
  readonly bodies: BodyBudget
}

/** Returns the part of an endpoint's result that is stored for a repeat with the same `Idempotency-Key`. */
export type RecordResult<E extends EndpointShape> = (
  result: unknown,
  request: EndpointRequest<E>,
) => unknown

/**
 * Runs every check of a request in their one order: credentials, rate, forgery, organization, access, then headers,
 * query, content type, JSON and schema.
 */
export async function authorizeRequest<E extends EndpointShape>(
  deps: GuardDeps,
  endpoint: E,
  exchange: Exchange,
  {
    params,
    record,
  }: { readonly params: Readonly<Record<string, string>>; readonly record: RecordResult<E> },
): Promise<EndpointRequest<E>> {
  const authorized = await authorizeActor(deps, endpoint, exchange, params)
  const ifMatch = parseIfMatch(exchange.header('if-match'))
  const key =
    endpoint.method === 'POST' ? parseIdempotencyKey(exchange.header('idempotency-key')) : undefined
  const query = readQuery(endpoint, exchange)
  const bytes = await readDeclaredBody(deps, endpoint, exchange)
  const sent = readAccepted(endpoint, bytes, exchange, authorized)
  const { body, readOnly } = splitBody(endpoint, sent)
  const scope = toScope(authorized)
  const cursorScope = toCursorScope(endpoint, authorized)
  const request = {
    ...authorized,
    permissions: permissionsFor(authorized, sent),
    params,
    query,
    body,
    readOnly,
    ifMatch: joinPreconditions(ifMatch, readOnly),
    requestId: exchange.requestId,
    scope,
    ip: exchange.ip,
    userAgent: exchange.header('user-agent')?.slice(0, 300),
    header: exchange.header,
    readBytes: () => readUndeclaredBody(deps, endpoint, exchange),
    checkSender: checkSenderOf(deps, exchange),
    authorizeReveal: () => authorizeReveal(deps, exchange),
    isStillAuthorized: () => isStillAuthorized(deps, endpoint, exchange, params),
    readCursor: <T extends z.ZodType>(position: T) => {
      const cursor: unknown = Reflect.get(Object(query), 'cursor')
      return typeof cursor === 'string'
        ? deps.cursors.read(cursorScope, cursor, position)
        : undefined
    },
    writeCursor: (position: unknown) => deps.cursors.write(cursorScope, position),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each part was checked against the declaration
  const declared = request as EndpointRequest<E>
  if (key === undefined || authorized.actor === undefined) return declared
  const orgId = authorized.organization?.id ?? null
  const { target } = exchange
  const claim: IdempotencyClaim = {
    orgId,
    credentialId: authorized.actor.credentialId,
    route: endpoint.operationId,
    key,
    requestHash: deps.hashRequest({ method: endpoint.method, orgId, target, body: bytes }),
    status: endpoint.response.status,
    record: (result) => record(result, declared),
  }
  return { ...declared, scope: { ...scope, idempotency: claim } }
}

/** Reads the body as the endpoint accepts it. A key that only reads is refused before anything is said about its shape. */
function readAccepted(
  endpoint: EndpointShape,
  bytes: Buffer,
  exchange: Exchange,
  authorized: Authorized,
): unknown {
  const accepted = acceptedBody(endpoint)
  if (accepted === undefined) return undefined
  const sent = readDeclared(bytes, endpoint, exchange)
  requireWriting(endpoint, authorized.actor, authorized, sent)
  return validateBody(accepted, sent)
}

/** Returns what the actor may do in this request: a server key that only reads tries what one that writes would do. */
function permissionsFor({ actor, permissions }: Authorized, sent: unknown): readonly Permission[] {
  const isTrial = actor?.type === 'api_key' && actor.access === 'read' && isDryRun(sent)
  return isTrial ? permissionsOf({ ...actor, access: 'write' }, undefined) : permissions
}

function toScope({ actor, organization }: Authorized): Scope {
  return {
    orgId: organization?.id ?? null,
    userId: actor?.type === 'user' ? actor.userId : null,
  }
}

function toCursorScope({ operationId }: EndpointShape, { actor, organization }: Authorized) {
  return { subject: organization?.id ?? actor?.credentialId ?? '', route: operationId }
}

function checkSenderOf(
  { guard }: GuardDeps,
  exchange: Exchange,
): EndpointRequest<EndpointShape>['checkSender'] {
  return async (check) => {
    const checked = await checkGuarded(guard, exchange.ip, check)
    exchange.isSenderKnown = true
    return checked
  }
}

function authorizeReveal({ limiter, now }: GuardDeps, exchange: Exchange): void {
  const { actor } = exchange
  if (actor === undefined) throw new Error('Secrets are shown to nobody who is not known')
  const isBrowser = actor.type === 'user' && actor.via === 'session'
  if (isBrowser) refuseReadOfOtherSite(exchange.header('sec-fetch-site'))
  takeReveal(limiter, exchange, actor)
  requireRecentPassword(actor, now())
}

/** Refuses a query where none is declared, because a caller could believe that it had an effect. */
function readQuery({ query, access }: EndpointShape, { target }: Exchange): unknown {
  if (query !== undefined) return validateQuery(query, target.query)
  const [name] = Object.keys(target.query)
  if (name === undefined || access.kind === 'open') return undefined
  const detail = 'This request has no such query parameter. Leave it out.'
  throw new Problem('invalid_query', detail, {
    errors: [{ pointer: `?${name}`, code: 'invalid_query', detail }],
  })
}

/**
 * Parses the body. An absent one counts as `{}`, so that an endpoint with optional fields needs none; but a declared
 * content type requires a body.
 */
function readDeclared(
  bytes: Buffer,
  { quotesOthers }: EndpointShape,
  { header }: Exchange,
): unknown {
  const isLeftOut = bytes.length === 0 && header('content-type') === undefined
  return isLeftOut ? {} : readJson(bytes, { quotesOthers })
}

async function readDeclaredBody(
  deps: GuardDeps,
  endpoint: EndpointShape,
  exchange: Exchange,
): Promise<Buffer> {
  if (endpoint.body === undefined) return Buffer.alloc(0)
  const headers = bodyHeaders(exchange)
  if (hasBody(headers) || headers.contentType !== undefined) requireJson(headers)
  return readWithinBudget(deps, endpoint, exchange)
}

async function readUndeclaredBody(
  deps: GuardDeps,
  endpoint: EndpointShape,
  exchange: Exchange,
): Promise<Buffer> {
  refuseEncoded(bodyHeaders(exchange))
  return readWithinBudget(deps, endpoint, exchange)
}

/** Reads the body. That of a sender who is not known takes its part of the budget of all of them. */
function readWithinBudget(
  { bodies }: GuardDeps,
  endpoint: EndpointShape,
  exchange: Exchange,
): Promise<Buffer> {
  const maxBytes = endpoint.bodyLimitBytes ?? limits.bodyBytes
  const hold =
    exchange.actor === undefined && !exchange.isSenderKnown
      ? (giveWay: (rejection: Problem) => void) => bodies.open(exchange.ip, giveWay)
      : undefined
  return readBody(exchange.body, bodyHeaders(exchange), maxBytes, hold)
}
