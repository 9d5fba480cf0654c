import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { auth } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import type { OAuthClientProvider as OldProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findFreePort } from '../../../../test/testing/network/ports.ts'
import { runProgram } from './testing/conformance.ts'
import {
  connectRemote,
  createClientMemory,
  openRemoteAssistants,
} from './testing/open-remote-assistant.ts'

let service: Awaited<ReturnType<typeof openRemoteAssistants>>

beforeAll(async () => {
  service = await openRemoteAssistants()
})
afterAll(() => service.close())

const metadata = () => `${service.apiUrl}/.well-known/oauth-protected-resource/mcp`

/** Posts to `/mcp` by hand. */
async function post(params: object | undefined, token?: string): Promise<Response> {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  return fetch(service.url, {
    method: 'POST',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(call),
  })
}

const applyTheme = (expectedVersion: number) => ({
  name: 'apply_change',
  arguments: {
    schema: 'shop',
    changes: [{ environment: 'stage', set: { theme: 'light' }, expectedVersion }],
    keys: ['theme'],
  },
})

describe('a refusal at /mcp', () => {
  it.each([
    ['no token', undefined, ''],
    ['a token that is none', 'nothing', 'error="invalid_token", '],
    ['an unknown token', `sbx_agt_${'0'.repeat(46)}`, 'error="invalid_token", '],
  ])('says where to get a token, and for what: %s', async (_, token, error) => {
    const answer = await post({ name: 'overview' }, token)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer ${error}scope="read", resource_metadata="${metadata()}"`,
    ])
  })

  it('says it nowhere else', async () => {
    const answer = await fetch(`${service.apiUrl}/me`)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })
})

describe('the published client', () => {
  it('is connected by a person, asks for more when it needs it, and is ended in one press', async () => {
    const memory = createClientMemory(service.clientId)
    const first = await connectRemote(service.url, memory)
    await expect(first.connect()).rejects.toThrow('Unauthorized')
    expect(memory.asked?.searchParams.get('scope')).toBe('read')
    expect(memory.asked?.searchParams.get('resource')).toBe(service.url)
    await first.transport.finishAuth((await allowAsked(memory)).searchParams)
    expect(memory.kept?.scope).toBe('read')

    const { client, transport, connect } = await connectRemote(service.url, memory)
    await connect()
    expect((await client.callTool({ name: 'overview', arguments: {} })).isError).not.toBe(true)
    const change = applyTheme(1)
    await expect(client.callTool(change)).rejects.toThrow('Unauthorized')
    expect(memory.asked?.searchParams.get('scope')).toBe('read write')
    await transport.finishAuth((await allowAsked(memory)).searchParams)
    expect(memory.kept?.scope).toBe('read write')
    const applied = await client.callTool(change)
    expect(applied.structuredContent).toMatchObject({ applied: true })
    await client.close()

    const { items } = await service.nodes.call<{ items: { actor: { name: string } }[] }>(
      service.node,
      `GET ${service.org}/audit-events?action=value.set&limit=1`,
    )
    expect(items[0]?.actor.name).toBe(`${service.ada.userId}, through ${service.host}`)

    const tokens = `${service.org}/agent-tokens`
    const listed = await service.nodes.call<{ items: { id: string; clientHost: string }[] }>(
      service.node,
      `GET ${tokens}`,
    )
    expect(listed.items.map(({ clientHost }) => clientHost)).toEqual([service.host, service.host])
    const token = memory.kept?.access_token
    expect((await post({ name: 'overview' }, token)).status).toBe(200)
    for (const { id } of listed.items) {
      await service.nodes.call(service.node, `DELETE ${tokens}/${id}`)
    }
    expect((await post({ name: 'overview' }, token)).status).toBe(401)
    // It asks for its next tokens, and is refused.
    const again = await connectRemote(service.url, memory)
    await expect(again.connect()).rejects.toThrow('has ended')
  })

  it('of the release before connects and calls a tool as well', async () => {
    const memory = createClientMemory(service.clientId)
    const provider = memory as unknown as OldProvider
    const open = () => new OldTransport(new URL(service.url), { authProvider: provider })
    const first = open()
    const old = new OldClient({ name: 'old', version: '1' })
    await expect(old.connect(first)).rejects.toThrow('Unauthorized')
    await first.finishAuth((await allowAsked(memory)).searchParams.get('code') ?? '')
    const client = new OldClient({ name: 'old', version: '1' })
    const transport = open()
    await client.connect(transport)
    const answer = await client.callTool({ name: 'find', arguments: { text: 'theme' } })
    expect(answer.isError).not.toBe(true)
    await client.close()
  })

  it('refreshes by itself, and describes itself by its document', async () => {
    const memory = createClientMemory(service.clientId)
    const first = await connectRemote(service.url, memory)
    await expect(first.connect()).rejects.toThrow('Unauthorized')
    await first.transport.finishAuth((await allowAsked(memory)).searchParams)
    const before = memory.kept
    await service.nodes.asOwner(
      `update agent_token_secrets set expires_at = now() - interval '1 second' where kind = 'access'`,
    )
    const { client, connect } = await connectRemote(service.url, memory)
    await connect()
    expect((await client.callTool({ name: 'overview', arguments: {} })).isError).not.toBe(true)
    await client.close()
    expect(memory.kept?.refresh_token).not.toBe(before?.refresh_token)

    const address = 'https://assistant.example/client.json'
    const other = {
      ...createClientMemory(''),
      clientMetadataUrl: address,
      clientInformation: () => undefined,
      saveClientInformation: () => undefined,
      asked: undefined as URL | undefined,
      redirectToAuthorization(url: URL) {
        other.asked = url
      },
    }
    expect(await auth(other, { serverUrl: service.url })).toBe('REDIRECT')
    expect(other.asked?.searchParams.get('client_id')).toBe(address)
  })

  it('that was given its token reads in the answer of the tool what it may not', async () => {
    const personal = await post(applyTheme(1), service.ada.token)
    expect([personal.status, await personal.text()]).toEqual([
      200,
      expect.stringContaining('agent_token_forbidden'),
    ])
  })
})

describe('a call that needs more', () => {
  it('is answered 403 with every scope it needs, and one that needs no more is not', async () => {
    const memory = createClientMemory(service.clientId)
    const first = await connectRemote(service.url, memory)
    await expect(first.connect()).rejects.toThrow('Unauthorized')
    await first.transport.finishAuth((await allowAsked(memory)).searchParams)
    const token = memory.kept?.access_token
    const answer = await post(applyTheme(1), token)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="read write", resource_metadata="${metadata()}"`,
    ])
    expect(await answer.json()).toMatchObject({ code: 'insufficient_scope' })
    expect((await post({ name: 'overview' }, token)).status).toBe(200)
  })
})

describe('a change of what an organization lets assistants do', () => {
  const outcome = async (params: object, token?: string) => {
    const answer = await post(params, token)
    return answer.ok ? answer.status : ((await answer.json()) as { code: string }).code
  }

  it('bounds the tokens that are there from the next call, and a program is not sent to ask for more in vain', async () => {
    const memory = createClientMemory(service.clientId)
    const first = await connectRemote(service.url, memory)
    await expect(first.connect()).rejects.toThrow('Unauthorized')
    const asked = new URL(memory.asked ?? '')
    asked.searchParams.set('scope', 'read write')
    await first.transport.finishAuth((await service.allow(asked)).searchParams)
    expect(memory.kept?.scope).toBe('read write')
    const token = memory.kept?.access_token
    const reads = { name: 'overview' }
    // Of another version than the one that is there: it is let in, and changes nothing.
    const writes = applyTheme(99)
    const answers = async () => [await outcome(reads, token), await outcome(writes, token)]
    expect(await answers()).toEqual([200, 200])
    await service.letIn({ hosts: [] })
    expect(await answers()).toEqual([200, 'assistant_forbidden'])
    await service.letIn({ rule: 'listed', hosts: ['another.example'] })
    expect(await answers()).toEqual(['assistant_forbidden', 'assistant_forbidden'])
    expect(await outcome(reads, service.ada.token)).toBe(200)
    await service.letIn({ rule: 'none' })
    expect(await outcome(reads, token)).toBe('assistant_forbidden')
    expect(await outcome(reads, service.ada.token)).toBe('assistant_forbidden')
    await service.letIn({ rule: 'any', hosts: [] })
    expect(await answers()).toEqual([200, 200])
    await service.letIn()
  })

  it('is refused where the member allows it, for more than the organization does', async () => {
    const memory = createClientMemory(service.clientId)
    const first = await connectRemote(service.url, memory)
    await expect(first.connect()).rejects.toThrow('Unauthorized')
    const asked = new URL(memory.asked ?? '')
    asked.searchParams.set('scope', 'read write')
    await service.letIn({ hosts: [] })
    await expect(service.allow(asked)).rejects.toThrow('assistant_forbidden')
    expect((await service.allow(asked, 'read')).searchParams.get('code')).not.toBeNull()
    await service.letIn({ rule: 'none' })
    await expect(service.allow(asked, 'read')).rejects.toThrow('assistant_forbidden')
    await service.letIn()
  })

  it('keeps an assistant out whose member has no second factor', async () => {
    const { ada, nodes, org } = service
    const reads = { name: 'overview' }
    await nodes.asOwner(
      'update organization_policies set second_factor_required = true where org_id = $1',
      [org.slice('/organizations/'.length)],
    )
    expect(await outcome(reads, ada.token)).toBe('second_factor_off')
    // A second factor belongs to a password.
    await nodes.asOwner(
      `with factor as (insert into second_factors (user_id, sealed, created_at, confirmed_at) values ($1, '', now(), now()))
        update users set password_hash = '' where id = $1`,
      [ada.userId],
    )
    expect(await outcome(reads, ada.token)).toBe(200)
    await service.letIn()
  })
})

it('the conformance package finds nothing wrong with the metadata and the exchange of a code', async () => {
  const manifest = fileURLToPath(
    import.meta.resolve('@modelcontextprotocol/conformance/package.json'),
  )
  const program = join(dirname(manifest), 'dist/index.js')
  const args = [program, 'authorization', '--url', service.apiUrl, '--client-id', service.clientId]
  const more = ['--resource', service.url, '--port', String(await findFreePort())]
  const { code, output } = await runProgram(process.execPath, [...args, ...more], (text) => {
    const address = /http:\S+\/oauth\/authorize\?\S+/.exec(text)?.[0]
    if (address !== undefined) void allowAt(new URL(address))
  })
  expect([code, output]).toEqual([0, expect.stringContaining('Total: 3 passed, 0 failed')])
})

/** Allows the access, and takes the code to the program, which prints its address a moment before it listens. */
async function allowAt(address: URL): Promise<void> {
  const callback = await service.allow(address)
  await vi.waitFor(() => fetch(callback), { timeout: 60_000, interval: 50 })
}

it('no log has a code, a token, or what an assistant sent', () => {
  const log = service.logged.join('\n')
  for (const route of ['/oauth/authorize', '/oauth/token', '/mcp']) {
    expect(log).toContain(`"route":"${route}"`)
  }
  for (const text of ['state-of-the-client', 'code_challenge', '/client.json', 'sbx_agt_']) {
    expect(log).not.toContain(text)
  }
  for (const secret of seen) expect(log).not.toContain(secret)
  expect(seen.length).toBeGreaterThan(3)
})

/** The codes that browsers have brought. */
const seen: string[] = []

async function allowAsked(memory: ReturnType<typeof createClientMemory>): Promise<URL> {
  if (memory.asked === undefined) throw new Error('The client asks for nothing')
  const url = await service.allow(memory.asked)
  seen.push(url.searchParams.get('code') ?? '')
  return url
}
