import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProxy, runProgram } from './testing/conformance.ts'
import { canaries, connect, injected, openAssistants } from './testing/open-assistants.ts'

let service: Awaited<ReturnType<typeof openAssistants>>

beforeAll(async () => {
  service = await openAssistants()
})
afterAll(() => service.close())

/** Those that ask for no tool of their own. */
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'http-header-validation',
  'dns-rebinding-protection',
]

const schema = 'shop'
const names = [
  'overview',
  'find',
  'get_key',
  'explain_flag',
  'history',
  'compare',
  'deployments',
  'whats_wrong',
  'propose_change',
  'apply_change',
]

const valuesOf = async (environmentId: string) =>
  (
    await service.nodes.call<{ values: Record<string, { value?: unknown }>; version: number }>(
      service.node,
      `GET ${service.org}/config-values?schemaId=${service.schemaId}&environmentId=${environmentId}`,
    )
  ).values

const change = (environment: string, of: object) => ({
  schema,
  changes: [{ environment, ...of }],
})

/** Posts to `/mcp` by hand. */
async function post(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(service.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.tokens.read}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  })
  return { status: answer.status, text: await answer.text() }
}
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

describe('the tools of assistants', () => {
  it('are the same ten for the clients of both eras, under 3,000 tokens', async () => {
    const client = await connect(service.url, service.tokens.read)
    const { tools } = await client.listTools()
    await client.close()
    const old = new OldClient({ name: 'old', version: '1' })
    const headers = { authorization: `Bearer ${service.tokens.read}` }
    const transport = new OldTransport(new URL(service.url), { requestInit: { headers } })
    await old.connect(transport)
    const listed = await old.listTools()
    const answer = await old.callTool({ name: 'get_key', arguments: { schema, key: 'theme' } })
    await old.close()
    expect(tools.map(({ name }) => name)).toEqual(names)
    expect(listed.tools.map(({ name }) => name)).toEqual(names)
    expect(answer.structuredContent).toMatchObject({ key: 'theme', default: 'dark' })
    // 3.5 characters a token: JSON with English in it has about four.
    expect(JSON.stringify(tools).length / 3.5).toBeLessThan(3_000)
  })

  it('answer as REST does', async () => {
    const { result: overview } = await service.call('overview')
    expect(overview.environments).toContainEqual(
      expect.objectContaining({ name: 'prod', production: true }),
    )
    const { result: key } = await service.call('get_key', { schema, key: 'secret1' })
    expect(key.environments).toContainEqual(
      expect.objectContaining({ environment: 'prod', source: 'inherited', inheritedFrom: 'base' }),
    )
    const asked = { schema, flag: 'newCheckout', environment: 'stage' }
    const { result: pro } = await service.call('explain_flag', {
      ...asked,
      context: { plan: 'pro' },
    })
    expect(pro).toMatchObject({ value: true, decidedBy: 0 })
    const { result: free } = await service.call('explain_flag', asked)
    expect(free).toMatchObject({ value: false })
    const { result: differing } = await service.call('compare', {
      schema,
      environment: 'stage',
      other: 'prod',
    })
    expect(differing.differing.map((row: { key: string }) => row.key)).toContain('newCheckout')
  })

  it('name what exists when a name is wrong', async () => {
    const { isError, result } = await service.call('get_key', { schema: 'shp', key: 'theme' })
    expect([isError, result.code, result.detail]).toEqual([
      true,
      'not_found',
      expect.stringContaining('shop'),
    ])
  })

  it('refuse pages of other sites, browsers, API keys, batches and subscriptions', async () => {
    expect(await post(list, { origin: 'https://evil.example' })).toMatchObject({ status: 403 })
    expect(await post([list, list])).toMatchObject({ status: 422 })
    expect(await post({ ...list, method: 'subscriptions/listen' })).toMatchObject({ status: 422 })
    expect(await post(list, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
    expect(await post(list, { authorization: 'Bearer nothing' })).toMatchObject({ status: 401 })
    const big = { ...list, params: { x: 'x'.repeat(300_000) } }
    expect(await post(big)).toMatchObject({ status: 413 })
    expect((await fetch(service.url)).status).toBe(405)
  })
})

describe('the conformance package', () => {
  it.each(scenarios)('finds nothing wrong: %s', async (scenario) => {
    const proxy = await openProxy(service.url, service.tokens.read)
    const program = join(
      dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json'))),
      'dist/index.js',
    )
    const args = [program, 'server', '--url', proxy.url, '--scenario', scenario]
    const { code, output } = await runProgram(process.execPath, args)
    await proxy.close()
    expect([code, output]).toEqual([0, expect.stringContaining('Passed')])
  })
})

describe('an assistant that reads', () => {
  it('sees none of 64 secrets, whatever it asks for', async () => {
    const { deploymentId, secretNames, tokens } = service
    const [first = '', second = ''] = secretNames
    const ids = await service.call('history', { key: first })
    const [version] = ids.result.changes
    const asked: [string, object][] = [
      ['overview', {}],
      ['whats_wrong', {}],
      ...[first, 'canary', 'shop', 'main'].map((text) => ['find', { text }] as [string, object]),
      ['get_key', { schema }],
      ...secretNames.map((key) => ['get_key', { schema, key }] as [string, object]),
      ['get_key', { schema, key: first, environment: 'stage', reveal: true }],
      ['explain_flag', { schema, flag: first, environment: 'stage' }],
      ['history', { limit: 50 }],
      ['history', { key: first }],
      ['history', { environment: 'base' }],
      ['compare', { schema, environment: 'base', other: 'guarded' }],
      ['compare', { schema, environment: 'base', other: 'stage' }],
      ['compare', { version: version.id }],
      ['deployments', {}],
      ['deployments', { id: deploymentId }],
      ...canaries.slice(0, 8).map(
        (value) =>
          // A guess: an answer that differs for the right value would tell it.
          ['propose_change', change('stage', { set: { [first]: `${value}?` } })] as [
            string,
            object,
          ],
      ),
      ['propose_change', change('stage', { unset: [first, second] })],
      ['propose_change', change('guarded', { set: { theme: 'light' } })],
      [
        'apply_change',
        {
          ...change('stage', { unset: [second], expectedVersion: 2 }),
          keys: [second],
        },
      ],
    ]
    let seen = ''
    for (const token of [tokens.read, tokens.write, tokens.personal]) {
      const client = await connect(service.url, token)
      // One token asks for every secret, and the others for one in sixteen.
      const each = asked.filter((_, n) => token === tokens.read || n > 72 || n % 16 === 0)
      for (const [name, args] of each) {
        const answer = await client.callTool({ name, arguments: args as Record<string, unknown> })
        seen += JSON.stringify(answer)
      }
      await client.close()
    }
    const found = (text: string) => canaries.filter((value) => text.includes(value)).length
    expect(seen.length).toBeGreaterThan(50_000)
    expect(found(seen.replaceAll(/canary-\d+-\w+\?/g, ''))).toBe(0)
    // Control: the same search in what a person is shown.
    const path = `${service.org}/config-values?schemaId=${service.schemaId}&environmentId=${service.staging}&reveal=true`
    const revealed = await service.nodes.call(service.node, `GET ${path}`)
    expect(found(JSON.stringify(revealed))).toBe(64)
    expect(Object.keys(await valuesOf(service.staging))).toContain(second)
  })

  it('learns nothing about a secret by a guess', async () => {
    const [key = ''] = service.secretNames
    const guess = async (value: string) => {
      const { result } = await service.call(
        'propose_change',
        change('stage', { set: { [key]: value } }),
      )
      return JSON.stringify({ ...result, reviewLink: undefined })
    }
    expect(await guess(canaries[0] ?? '')).toBe(await guess('something else'))
  })

  it('gets what others wrote as data, cut and without addresses', async () => {
    const asked: [string, object][] = [
      ['overview', {}],
      ['deployments', { id: service.deploymentId }],
      ['history', {}],
      ['get_key', { schema, key: 'newCheckout' }],
    ]
    let met = 0
    for (const [name, args] of asked) {
      const { result, text } = await service.call(name, args)
      expect(text).not.toContain('evil.example')
      for (const [path, value] of textsOf(result)) {
        if (!value.includes('Ignore all instructions')) continue
        met += 1
        expect(path).toContain('untrusted')
        expect(value.length).toBeLessThanOrEqual(200)
      }
    }
    expect(met).toBeGreaterThan(3)
    expect(injected.length).toBeGreaterThan(200)
  })

  it('proposes, and applies nothing', async () => {
    const set = { newCheckout: true }
    const { result } = await service.call('propose_change', change('stage', { set }))
    expect(result).toMatchObject({ problems: [], personRequired: [], mayApply: false })
    expect(result.reviewLink).toMatch(/\/acme\/config\?schema=sch_\w+#proposal=[\w-]+$/)
    const [{ expectedVersion }] = result.applyWith
    const applied = await service.call('apply_change', {
      ...change('stage', { set, expectedVersion }),
      keys: ['newCheckout'],
    })
    expect([applied.isError, applied.result.code]).toEqual([true, 'agent_token_forbidden'])
    expect((await valuesOf(service.staging))['newCheckout']).toMatchObject({ value: false })
  })
})

describe('an assistant that applies', () => {
  const apply = (of: object, keys: readonly string[], token = service.tokens.write) =>
    service.call('apply_change', { ...of, keys }, token)
  const versionOf = async (environment: string) => {
    const { result } = await service.call('get_key', { schema, key: 'theme', environment })
    return result.environments[0].version as number
  }

  it('lets a change be watched by the signals that it names, and by no other', async () => {
    const { nodes, node, org } = service
    const body = { name: 'pager', spec: { kind: 'alert' } }
    const { id } = await nodes.call<{ id: string }>(node, `POST ${org}/signals`, body)
    const expectedVersion = await versionOf('stage')
    const set = { theme: 'watched' }
    const of = (...signals: string[]) => ({
      ...change('stage', { set, expectedVersion }),
      prove: { signals, minutes: 20 },
    })
    const unknown = await service.call('propose_change', of('pagr'))
    expect([unknown.isError, unknown.result.code]).toEqual([true, 'not_found'])
    const proposed = await service.call('propose_change', of('pager'))
    expect(proposed.result.prove).toMatchObject({ signals: [id], minutes: 20, noData: 'hold' })
    await apply(of('pager'), ['theme'])
    const proofs = await nodes.call<{ items: object[] }>(node, `GET ${org}/proofs`)
    expect(proofs.items).toMatchObject([{ keys: ['theme'], signals: [{ name: 'pager' }] }])
  })

  it('saves what it names with the version that it has seen, and the log says through which program', async () => {
    const expectedVersion = await versionOf('stage')
    const set = { theme: 'light' }
    const body = change('stage', { set, expectedVersion })
    const unnamed = await apply(body, ['newCheckout'])
    expect([unnamed.isError, unnamed.result.code]).toEqual([true, 'validation_failed'])
    const saved = await apply({ ...body, comment: injected }, ['theme'])
    expect(saved.result).toMatchObject({ applied: true })
    expect((await valuesOf(service.staging))['theme']).toMatchObject({ value: 'light' })
    const stale = await apply(change('stage', { set: { theme: 'red' }, expectedVersion }), [
      'theme',
    ])
    expect([stale.isError, stale.result.code]).toEqual([true, 'revision_mismatch'])
    // A conflict names who saved meanwhile, with what they wrote about it.
    expect(stale.text).not.toContain('Ignore all')
    const { items } = await service.nodes.call<{ items: { actor: { name: string } }[] }>(
      service.node,
      `GET ${service.org}/audit-events?action=value.set&limit=1`,
    )
    expect(items[0]?.actor.name).toMatch(/, through claude-code 2\.3$/)
  })

  it.each([
    ['production', 'prod'],
    ['a protected environment', 'guarded'],
    ['what production inherits from', 'base'],
  ])('never changes %s, and answers the link', async (_, environment) => {
    const expectedVersion = await versionOf(environment)
    const set = { newCheckout: true }
    const body = change(environment, { set, expectedVersion })
    const { isError, result } = await apply(body, ['newCheckout'])
    expect([isError, result.applied]).toEqual([false, false])
    expect(result.reviewLink).toContain('#proposal=')
    expect(await versionOf(environment)).toBe(expectedVersion)
  })

  const request = { title: 'Open the checkout', reason: 'The person asked for it' }

  it('asks people for a change of production, as its member through the program, and does no more with the request', async () => {
    const set = { newCheckout: true }
    const { result: proposed } = await service.call(
      'propose_change',
      change('prod', { set }),
      service.tokens.write,
    )
    expect(proposed).toMatchObject({ personRequired: ['prod'], mayApply: false, mayRequest: true })
    const [{ expectedVersion }] = proposed.applyWith
    const body = change('prod', { set, expectedVersion })
    const read = await service.call('apply_change', { ...body, keys: ['newCheckout'], request })
    expect([read.isError, read.result.code]).toEqual([true, 'agent_token_forbidden'])
    const { isError, result } = await apply({ ...body, request }, ['newCheckout'])
    expect([isError, result.applied]).toEqual([false, false])
    const { number, state, link } = result.requested
    expect(state).toBe('approved')
    expect(link).toMatch(new RegExp(`/acme/requests/${number}$`))
    const path = `${service.org}/change-requests/${number}`
    const made = await service.nodes.call<{ author: object; title: string; reason: string }>(
      service.node,
      `GET ${path}`,
    )
    expect(made).toMatchObject({
      ...request,
      author: { name: expect.stringMatching(/, through claude-code 2\.3$/), via: 'agent' },
    })
    // Its token works at /mcp alone, where no tool reviews, applies or overrides.
    for (const verb of ['reviews', 'apply', 'override']) {
      const answer = await fetch(`${service.node.apiUrl}${path}/${verb}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.tokens.write}`,
          'content-type': 'application/json',
        },
        body: '{}',
      })
      expect([verb, answer.status]).toEqual([verb, 403])
    }
    expect((await valuesOf(service.production))['newCheckout']).toMatchObject({ value: false })
    // The control: a person applies it.
    await service.nodes.call(service.node, `POST ${path}/apply`)
    expect((await valuesOf(service.production))['newCheckout']).toMatchObject({ value: true })
  })

  it('says how many people approve a change, and asks them', async () => {
    const approved = `${service.org}/environments/${service.staging}`
    const policy = (approvals: number) =>
      service.nodes.call(service.node, `PATCH ${approved}`, { protection: { approvals } })
    // Besides the author, somebody has to be there who may approve.
    await service.nodes.addPerson(service.orgId, 'developer')
    await policy(1)
    try {
      const set = { theme: 'green' }
      const { result: proposed } = await service.call(
        'propose_change',
        change('stage', { set }),
        service.tokens.write,
      )
      expect(proposed).toMatchObject({
        approvals: [{ environment: 'stage', approvals: 1, keys: ['theme'] }],
        mayApply: false,
        mayRequest: true,
      })
      const [{ expectedVersion }] = proposed.applyWith
      const { result } = await apply({ ...change('stage', { set, expectedVersion }), request }, [
        'theme',
      ])
      expect(result.requested).toMatchObject({
        state: 'open',
        environments: [{ environment: 'stage', approvals: { needed: 1, given: 0 } }],
      })
      const values = await valuesOf(service.staging)
      expect(values['theme']).not.toMatchObject({ value: 'green' })
    } finally {
      await service.nodes.asOwner('update environments set approvals = 0')
    }
  })

  it('leaves an environment whose name is to be typed to the review link', async () => {
    const expectedVersion = await versionOf('guarded')
    const body = change('guarded', { set: { newCheckout: true }, expectedVersion })
    const { result } = await apply({ ...body, request }, ['newCheckout'])
    expect(result).toMatchObject({ applied: false, personRequired: ['guarded'] })
    expect(result.reviewLink).toContain('#proposal=')
    expect(result).not.toHaveProperty('requested')
  })

  it('asks for no secret', async () => {
    const [key = ''] = service.secretNames
    const body = change('prod', {
      set: { [key]: 'mine' },
      expectedVersion: await versionOf('prod'),
    })
    const { isError, result } = await apply({ ...body, request }, [key])
    expect([isError, result.code]).toEqual([true, 'person_required'])
  })

  it('is refused a secret in the use case itself', async () => {
    const [key = ''] = service.secretNames
    const body = change('stage', {
      set: { [key]: 'mine' },
      expectedVersion: await versionOf('stage'),
    })
    const { isError, result } = await apply(body, [key])
    expect([isError, result.code]).toEqual([true, 'person_required'])
  })

  it('does no more than its member may', async () => {
    const body = change('stage', {
      set: { theme: 'red' },
      expectedVersion: await versionOf('stage'),
    })
    const { isError, result } = await apply(body, ['theme'], service.tokens.viewer)
    expect([isError, result.code]).toEqual([true, 'role_forbidden'])
  })
})

/** Every text of an answer, with the way to it. */
function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`))
}
