import { describe, expect, it } from 'vitest'
import { createRelay } from './relay.ts'

/** Relays to a server that answers with `answers`, one after the other. */
function open(answers: readonly Response[]) {
  const sent: Headers[] = []
  const rest = [...answers]
  const relay = createRelay({
    url: 'https://signalbox.example/mcp',
    token: 'sbx_agt_secret',
    userAgent: 'signalbox-cli/1',
    fetch: async (_, init) => {
      sent.push(new Headers(init?.headers))
      const next = rest.shift()
      if (next === undefined) throw new TypeError('fetch failed')
      return Promise.resolve(next)
    },
  })
  return { relay, sent }
}
const metaKey = '_meta'
const ask = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

describe('the relay of an assistant', () => {
  it('names the revision and the program that the beginning agreed on', async () => {
    const agreed = { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-11-25' } }
    const events = `event: message\ndata: ${JSON.stringify(agreed)}\n\n`
    const { relay, sent } = open([new Response(events), Response.json({ id: 1 })])
    const clientInfo = { name: 'claude code\n', version: '2.3' }
    expect(await relay(ask('initialize', { clientInfo }))).toBe(JSON.stringify(agreed))
    await relay(ask('tools/call', { name: 'overview' }))
    const [, call] = sent
    expect(Object.fromEntries(call ?? [])).toMatchObject({
      authorization: 'Bearer sbx_agt_secret',
      'mcp-protocol-version': '2025-11-25',
      'mcp-method': 'tools/call',
      'mcp-name': 'overview',
      'user-agent': 'claude-code-/2.3 signalbox-cli/1',
    })
  })

  it('names the revision of each message from 2026-07-28 on', async () => {
    const { relay, sent } = open([Response.json({ id: 1 })])
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    await relay(ask('tools/list', { [metaKey]: meta }))
    expect(sent[0]?.get('mcp-protocol-version')).toBe('2026-07-28')
  })

  it('answers what it cannot send on, and never with the token', async () => {
    const problem = Response.json(
      { code: 'rate_limited', detail: 'Wait, sbx_agt_secret.' },
      { status: 429, headers: { 'content-type': 'application/problem+json' } },
    )
    const { relay } = open([problem])
    const limited = (await relay(ask('ping'))) ?? ''
    expect(JSON.parse(limited)).toMatchObject({ id: 1, error: { code: -32_603 } })
    expect(limited).toContain('rate_limited')
    expect(limited).not.toContain('sbx_agt_secret')
    expect(await relay(ask('ping'))).toContain('fetch failed')
    expect(await relay('{')).toContain('-32700')
    expect(await relay(' ')).toBeUndefined()
  })

  it('leads to the explanations of the own server', async () => {
    const type = 'https://signalbox.dev/docs/problems#person_required'
    const { relay } = open([Response.json({ id: 1, result: { type } })])
    expect(await relay(ask('tools/call'))).toContain(
      '"https://signalbox.example/docs/problems#person_required"',
    )
  })

  it('answers no notification', async () => {
    const { relay } = open([new Response(null, { status: 202 })])
    const notice = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect(await relay(JSON.stringify(notice))).toBeUndefined()
  })
})
