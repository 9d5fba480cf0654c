import {
  agentScopes,
  Problem,
  type AgentScope,
  type Permission,
  type Role,
} from '@signalbox/contract'
import { acceptedBody, type EndpointShape, type ResponseOf } from '@signalbox/contract/rest'
import type { z } from 'zod'
import { agentRefused, requirePermission } from './admission/access.ts'
import type { AgentActor } from './admission/actor.ts'
import { assertDeclared } from './assert-declared.ts'
import type { Cursors } from './input/cursors.ts'
import type {
  EndpointRequest,
  JsonEndpoint,
  RequestOrganization,
} from './input/endpoint-request.ts'
import { splitBody } from './input/read-only-fields.ts'
import { validateBody, validateQuery } from './input/validate.ts'
import type { AnyHandler } from './serve-endpoint.ts'

/** Holds who calls endpoints through the tools of `/mcp`, and the request that the calls belong to. */
export interface ToolCaller {
  readonly actor: AgentActor
  readonly organization: RequestOrganization
  readonly role: Role | undefined
  readonly permissions: readonly Permission[]
  readonly requestId: string
  readonly ip: string
  readonly userAgent: string | undefined
}

/** Holds the parts of a call, as a request would bring them. */
export interface ToolCall {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body?: unknown
}

/** Calls one endpoint for a tool. */
export type CallEndpoint = (caller: ToolCaller, call: ToolCall) => Promise<unknown>

/** Calls endpoints by their declarations. */
export type CallByShape = <E extends JsonEndpoint>(
  endpoint: E,
  caller: ToolCaller,
  call: ToolCall,
) => Promise<ResponseOf<E>>

/**
 * Returns the function with which tools call an endpoint in the process: the same checks of role, query and body, the same use
 * case and the same answer as over HTTP. An endpoint that declares no `agents` refuses.
 */
export function toCallEndpoint<E extends EndpointShape, T>(
  deps: { readonly cursors: Cursors; readonly checkAnswers?: boolean },
  endpoint: E,
  handler: AnyHandler<E, T>,
): CallEndpoint {
  return async (caller, call) => {
    const { actor } = caller
    requireAgent(endpoint, actor.scope, call.body)
    if (endpoint.access.kind !== 'organization') throw agentRefused()
    requirePermission(endpoint.access, caller)
    const request = toRequest(deps.cursors, endpoint, caller, call)
    const result = await handler.handle(request)
    const body = handler.present?.(result, request)
    if (deps.checkAnswers === true) assertDeclared(endpoint, body)
    // Converts it as JSON does: dates become texts, and absent members are left out.
    const answer: unknown = JSON.parse(JSON.stringify(body ?? null))
    return answer
  }
}

function requireAgent(
  { agents, agentsInDryRun }: EndpointShape,
  scope: AgentScope,
  body: unknown,
): void {
  const isDryRun = Reflect.get(Object(body), 'dryRun') === true
  const needed = isDryRun ? (agentsInDryRun ?? agents) : agents
  if (needed === undefined) throw agentRefused()
  if (agentScopes.indexOf(scope) < agentScopes.indexOf(needed)) throw agentRefused()
}

function toRequest<E extends EndpointShape>(
  cursors: Cursors,
  endpoint: E,
  caller: ToolCaller,
  { params = {}, query = {}, body }: ToolCall,
): EndpointRequest<E> {
  const { actor, organization } = caller
  const accepted = acceptedBody(endpoint)
  const cursorScope = { subject: organization.id, route: endpoint.operationId }
  const parsed = endpoint.query && validateQuery(endpoint.query, dropUndefined(query))
  const request = {
    ...caller,
    params: { org_id: organization.id, ...params },
    query: parsed,
    ...splitBody(endpoint, accepted && validateBody(accepted, body ?? {})),
    ifMatch: undefined,
    scope: { orgId: organization.id, userId: actor.userId },
    header: () => undefined,
    readBytes: () => Promise.resolve(Buffer.alloc(0)),
    checkSender: refuseCredentials,
    authorizeReveal: refuseReveal,
    isStillAuthorized: () => Promise.resolve(true),
    readCursor: <T extends z.ZodType>(position: T) => {
      const cursor: unknown = Reflect.get(Object(parsed), 'cursor')
      return typeof cursor === 'string' ? cursors.read(cursorScope, cursor, position) : undefined
    },
    writeCursor: (position: unknown) => cursors.write(cursorScope, position),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each part was checked against the declaration
  return request as unknown as EndpointRequest<E>
}

/** An assistant reveals nothing, whatever its person may. @throws {Problem} `agent_token_forbidden` */
function refuseReveal(): never {
  throw new Problem('agent_token_forbidden', 'An assistant does not see secrets.')
}

function refuseCredentials(): never {
  throw new Error('A tool brings no credentials of its own')
}

function dropUndefined(
  query: NonNullable<ToolCall['query']>,
): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
