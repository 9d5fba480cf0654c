import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { OAuthClientProvider, OAuthTokens } from '@modelcontextprotocol/client'
import type { AgentScope } from '@signalbox/contract'
import { createLog } from '../../telemetry/log.ts'
import { openNodes } from './open-nodes.ts'

/** Holds the address that the browser is sent back to. Nothing listens there: the tests only read the address. */
const redirectUrl = 'http://127.0.0.1:4999/callback'

/** Opens a service that may read the host of an assistant on this machine, with that host and an organization. */
export async function openRemoteAssistants() {
  const nodes = await openNodes()
  const logged: string[] = []
  const log = createLog({ level: 'debug', destination: { write: (line) => logged.push(line) } })
  const settings = { SIGNALBOX_EGRESS_ALLOW_MEMBERS: '127.0.0.1' }
  const node = await nodes.start('api', { settings, log })
  const host = await openClientHost()
  const { id: orgId } = await nodes.call<{ id: string }>(node, 'POST /organizations', {
    name: 'Acme',
  })
  const org = `/organizations/${orgId}`
  const staging = await nodes.call<{ id: string }>(node, `POST ${org}/environments`, {
    name: 'stage',
  })
  const { id: schemaId } = await nodes.call<{ id: string }>(node, `POST ${org}/config-schemas`, {
    name: 'shop',
    schema: { theme: { type: 'string', tier: 'public', default: 'dark' } },
  })
  /** Lets assistants in: each one reads, and unless more is said, that of the tests may write. */
  const letIn = (assistants: object = {}) =>
    nodes.call(node, `PUT ${org}/policies`, {
      secondFactorRequired: false,
      tokenDays: null,
      sessionIdleMinutes: null,
      assistants: {
        rule: 'read',
        hosts: [new URL(host.clientId).host],
        ownTokens: true,
        ...assistants,
      },
    })
  await letIn()
  const ada = await nodes.addPerson(orgId, 'admin')
  const apiUrl = node.apiUrl ?? ''
  const asPerson = async (path: string, body: object) => {
    const answer = await fetch(`${apiUrl}${path}`, {
      method: 'POST',
      headers: {
        cookie: `__Host-s=${ada.session}`,
        origin: apiUrl,
        'sec-fetch-site': 'same-origin',
        'x-requested-by': 'test',
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as Record<string, unknown>
  }
  return {
    nodes,
    node,
    apiUrl,
    url: `${apiUrl}/mcp`,
    org,
    ada,
    schemaId,
    stagingId: staging.id,
    clientId: host.clientId,
    host: new URL(host.clientId).host,
    logged,
    letIn,
    /** Opens an address as the person's browser does, and allows what it asks for. Returns where the browser is sent. */
    async allow(address: URL, scope?: AgentScope): Promise<URL> {
      const { status, headers } = await fetch(address, { redirect: 'manual' })
      const page = new URL(headers.get('location') ?? '', apiUrl)
      if (status !== 303) throw new Error(`${status} ${page.href}`)
      const request = toRequest(page.searchParams.get('request') ?? '')
      const shown = await asPerson('/oauth/authorize/review', request)
      const body = { request, scope: scope ?? shown['scope'] }
      const { redirectTo } = await asPerson(`${org}/agent-tokens/allow`, body)
      return new URL(String(redirectTo))
    },
    async close() {
      await nodes.close()
      await host.close()
    },
  }
}

function toRequest(text: string): Record<string, string> {
  return Object.fromEntries(
    [...new URLSearchParams(text)].map(([name, value]) => [
      name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )
}

/** Serves the document of an assistant on this machine. */
async function openClientHost() {
  const server = createServer((_request, response) => {
    const { port } = server.address() as AddressInfo
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        client_id: `http://127.0.0.1:${port}/client.json`,
        client_name: 'Assistant of the tests',
        redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
        token_endpoint_auth_method: 'none',
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    clientId: `http://127.0.0.1:${port}/client.json`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Keeps what a client has to keep, and the address that it wants the person to open. */
export interface ClientMemory extends OAuthClientProvider {
  asked: URL | undefined
  kept: OAuthTokens | undefined
}

/** Creates the memory of a client. */
export function createClientMemory(clientId: string): ClientMemory {
  let verifier = ''
  const memory: ClientMemory = {
    asked: undefined,
    kept: undefined,
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    state: () => 'state-of-the-client',
    clientInformation: () => ({ client_id: clientId }),
    tokens: () => memory.kept,
    saveTokens: (tokens) => {
      memory.kept = tokens
    },
    redirectToAuthorization: (url) => {
      memory.asked = url
    },
    saveCodeVerifier: (text) => {
      verifier = text
    },
    codeVerifier: () => verifier,
  }
  return memory
}

/** Connects the published client, which asks for access by itself. */
export async function connectRemote(url: string, authProvider: OAuthClientProvider) {
  const client = new Client(
    { name: 'claude-code', version: '2.3' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider })
  return { client, transport, connect: () => client.connect(transport) }
}
