import { agentScopes, Problem, type AgentScope } from '@signalbox/contract'
import { assistantEndpoints as endpoints } from '@signalbox/contract/rest'
import type { AgentActor } from '../../http/admission/actor.ts'
import type { ReachedOrganization } from '../../http/admission/authorize-actor.ts'
import { refuseOtherSite } from '../../http/admission/csrf.ts'
import { permissionsOf } from '../../http/admission/permissions.ts'
import { requireJson } from '../../http/input/body.ts'
import type { EndpointRequest, RawAnswer } from '../../http/input/endpoint-request.ts'
import { readJson } from '../../http/input/json.ts'
import type { Router } from '../../http/router.ts'
import type { UseRecorder } from '../../identity/use-recorder.ts'
import type { Log } from '../../telemetry/log.ts'
import type { ServeMessage } from './mcp-server.ts'
import { toAgent, type FindOrganizationOf } from './to-agent.ts'
import { createLinkTo, type ToolContext } from './tool.ts'
import { tools } from './tools/index.ts'
import { assistantForbidden } from '../../identity/organizations/policies/apply-policies.ts'
import { unnamedClient } from '../../identity/members/agent-tokens/agent-tokens.ts'

/** Describes what the tools need of the process and of other features. */
export interface AssistantDeps {
  readonly publicUrl: () => string
  readonly resolveOrganization: (
    actor: AgentActor,
    ref: string,
  ) => Promise<ReachedOrganization | undefined>
  readonly findOrganizationOf: FindOrganizationOf
  readonly uses: Pick<UseRecorder, 'recordAgentUse'>
  readonly log: Log
}

type McpRequest = EndpointRequest<typeof endpoints.callTools>

/** Mounts `/mcp`. */
export function mountAssistants(router: Router, deps: AssistantDeps): void {
  const open = openOnce()
  router.addRaw(endpoints.callTools, async (request) => {
    refuseForeignPage(request, deps.publicUrl())
    const body = await readMessageBody(request)
    const { client, tool } = readMessage(body)
    const agent = await toAgent(request.actor, request.query.organization, deps.findOrganizationOf)
    const reached = await reach(deps, agent)
    requireScope(agent, reached, tool)
    const named = agent.clientHost ?? toClientName(client, request.userAgent)
    const actor = { ...agent, scope: leastOf(agent, reached), client: named }
    if (request.actor.type === 'agent') {
      const { orgId, credentialId: tokenId } = actor
      deps.uses.recordAgentUse({ orgId, tokenId, client: actor.client })
    }
    const context = openContext(router, deps, { actor, reached, request })
    const run = { context, requestId: request.requestId, log: deps.log }
    const message = toWebRequest(deps.publicUrl(), request, body)
    const serveMessage = await open()
    return toRawAnswer(await serveMessage(message, body, run))
  })
}

/** Loads the library of the protocol with the first message: it takes memory, and most servers never have an assistant. */
function openOnce(): () => Promise<ServeMessage> {
  let opening: Promise<ServeMessage> | undefined
  return () => (opening ??= import('./mcp-server.ts').then((module) => module.createServeMessage()))
}

/** Returns the organization of an assistant's token, as far as it lets the assistant in. @throws {Problem} `not_found`, and as its policies say */
async function reach(
  { resolveOrganization }: Pick<AssistantDeps, 'resolveOrganization'>,
  agent: AgentActor,
): Promise<ReachedOrganization> {
  const reached = await resolveOrganization(agent, agent.orgId)
  if (reached !== undefined) return reached
  throw new Problem('not_found', 'You are no longer a member of this organization.')
}

/** Returns what an assistant may do: what its member allowed, and no more than the organization allows now. */
function leastOf({ scope }: AgentActor, { agentScope = 'read' }: ReachedOrganization): AgentScope {
  return agentScopes.indexOf(scope) < agentScopes.indexOf(agentScope) ? scope : agentScope
}

/**
 * Lets an assistant that was connected by OAuth ask for more (RFC 6750 §3.1), where the organization allows more. One that was
 * given its token cannot ask, and gets an answer of the tool that it can read.
 *
 * @throws {Problem} `insufficient_scope`, `assistant_forbidden`
 */
function requireScope(
  agent: AgentActor,
  reached: ReachedOrganization,
  tool: string | undefined,
): void {
  const { clientHost } = agent
  const needed = tools.find(({ name }) => name === tool)?.scope
  if (clientHost === undefined || needed !== 'write') return
  if (leastOf(agent, reached) === 'write') return
  if (reached.agentScope !== 'write') {
    throw assistantForbidden(`This organization lets ${clientHost} read and propose only.`)
  }
  throw new Problem(
    'insufficient_scope',
    'The member has allowed this assistant to read and propose. Ask for the scope "read write", or give the person the link of propose_change.',
  )
}

/** A page of another site sends no token, but one that found a token must not use it from a browser either. */
function refuseForeignPage({ header }: McpRequest, publicUrl: string): void {
  refuseOtherSite(
    { secFetchSite: undefined, origin: header('origin'), requestedBy: undefined },
    publicUrl,
  )
}

async function readMessageBody({ header, readBytes }: McpRequest): Promise<unknown> {
  requireJson({
    contentType: header('content-type'),
    contentEncoding: header('content-encoding'),
    contentLength: header('content-length'),
    transferEncoding: header('transfer-encoding'),
  })
  return readJson(await readBytes())
}

interface Authorized {
  readonly actor: AgentActor
  readonly reached: ReachedOrganization
  readonly request: McpRequest
}

function openContext(
  router: Router,
  { publicUrl }: AssistantDeps,
  { actor, reached, request }: Authorized,
): ToolContext {
  const { organization, role, grants } = reached
  const permissions = permissionsOf(actor, role, grants)
  const { requestId, ip, userAgent } = request
  const caller = { actor, organization, role, permissions, requestId, ip, userAgent }
  return {
    scope: actor.scope,
    call: (endpoint, call = {}) => router.call(endpoint, caller, call),
    linkTo: createLinkTo(publicUrl, organization.slug),
  }
}

/** Headers that the protocol's library reads. No credential is among them. */
const passed = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

function toWebRequest(publicUrl: string, { header }: McpRequest, body: unknown): Request {
  const headers = new Headers()
  for (const name of passed) {
    const value = header(name)
    if (value !== undefined) headers.set(name, value)
  }
  return new Request(new URL('/mcp', publicUrl), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
}

async function toRawAnswer(response: Response): Promise<RawAnswer> {
  const contentType = response.headers.get('content-type')
  return {
    status: response.status,
    headers: {
      ...(contentType !== null && { 'Content-Type': contentType }),
      'Cache-Control': 'no-store',
    },
    body: Buffer.from(await response.arrayBuffer()),
  }
}

const mostCharacters = 60

/**
 * Returns the name that a program gives itself, as it is shown and stored: letters, digits and a few marks, so that it cannot
 * pretend to be a sentence. Example: `claude-code 2.3`.
 */
function toClientName(
  info: { readonly name?: unknown; readonly version?: unknown } | undefined,
  userAgent: string | undefined,
): string {
  const parts = [info?.name, info?.version].filter((part) => typeof part === 'string')
  const named = parts.join(' ')
  const product = /^[\w.-]+\/[\w.-]+/.exec(userAgent ?? '')?.[0]?.replace('/', ' ')
  const clean = (named === '' ? (product ?? '') : named)
    .replaceAll(/[^A-Za-z0-9 ._/@+-]+/g, ' ')
    .trim()
    .slice(0, mostCharacters)
  return clean === '' ? unnamedClient : clean
}

const clientInfoKey = 'io.modelcontextprotocol/clientInfo'

/**
 * Reads a message of the protocol. One message is one request: a batch would pass the rate limit as one. Nothing is
 * subscribed to, because no list of this server changes.
 *
 * @throws {Problem} `validation_failed`
 */
function readMessage(body: unknown) {
  if (!isRecord(body)) throw refused('Send one JSON-RPC message.')
  const { method, params } = body
  if (method === 'subscriptions/listen') throw refused('This server has no subscriptions.')
  const record = isRecord(params) ? params : {}
  const meta = isRecord(record['_meta']) ? record['_meta'] : {}
  const client = meta[clientInfoKey] ?? record['clientInfo']
  const name = method === 'tools/call' ? record['name'] : undefined
  return {
    /** Holds the program as it names itself. Clients before 2026-07-28 name themselves at the beginning alone. */
    client: isRecord(client) ? client : undefined,
    /** Names the tool that is called; `undefined`: the message calls none. */
    tool: typeof name === 'string' ? name : undefined,
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refused(detail: string): Problem {
  return new Problem('validation_failed', detail)
}
