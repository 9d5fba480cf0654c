import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeDefinition } from '../../testing/definition-files.ts'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()

beforeAll(async () => {
  const schema = {
    stripeKey: { type: 'string', tier: 'secret' },
    other: { type: 'string', tier: 'secret' },
  }
  await server.call('POST', '/config-schemas', { name: 'web', schema })
})
beforeEach(async () => {
  writeFileSync(join(place.directory, '.signalbox.json'), JSON.stringify({ schema: 'web' }))
  for (const key of ['stripeKey', 'other']) {
    await place.run(['set', key, '--env', 'staging'], { stdin: `value of ${key}` })
  }
})

const as = async (role: 'developer' | 'viewer') => {
  const browser = await server.openBrowser(role)
  return { SIGNALBOX_TOKEN: await browser.createToken() }
}
const get = (env: Record<string, string>) =>
  place.run(['get', 'stripeKey', '--env', 'staging', '--reveal'], { env })

describe('get --reveal of a person', () => {
  it('prints the value to a developer, and the audit log names this key alone', async () => {
    const result = await get(await as('developer'))
    expect(result).toMatchObject({ code: 0, stdout: 'value of stripeKey\n' })
    const path = '/audit-events?action=secret.revealed'
    const { items } = await server.call<{ items: { detail: unknown }[] }>('GET', path)
    expect(items.map(({ detail }) => detail)).toEqual([
      expect.objectContaining({ keys: ['stripeKey'] }),
    ])
  })

  it('is refused to a viewer', async () => {
    const result = await get(await as('viewer'))
    expect(result).toMatchObject({ code: 4, stdout: '' })
    expect(result.stderr).toContain('You may not read the secrets of this environment.')
  })
})

describe('check --env of a person', () => {
  const check = (env: Record<string, string>) => place.run(['check', '--env', 'staging'], { env })

  beforeEach(() =>
    writeDefinition(
      place,
      `secret: { stripeKey: check('string', (text) => text === 'another', 'is not the other') },`,
    ),
  )

  it('runs the validators on secrets for a developer', async () => {
    const result = await check(await as('developer'))
    expect(result.code).toBe(5)
    expect(result.stdout).toMatch(/✗ {2}staging +stripeKey: its validator refuses the value/)
  })

  it('is refused to a viewer, who may try no definition', async () => {
    expect(await check(await as('viewer'))).toMatchObject({ code: 4, stdout: '' })
  })
})

describe('mcp of a person', () => {
  it('gives an assistant the tools of the server, which see no secret and save nothing', async () => {
    const ask = (id: number, method: string, params: object) =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const clientInfo = { name: 'claude-code', version: '2.3' }
    const beginning = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const get_key = { name: 'get_key', arguments: { schema: 'web', key: 'stripeKey' } }
    const change = { environment: 'staging', unset: ['other'], expectedVersion: 0 }
    const apply = { schema: 'web', keys: ['other'], changes: [change] }
    const stdin = [
      ask(1, 'initialize', beginning),
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      ask(2, 'tools/list', {}),
      ask(3, 'tools/call', get_key),
      ask(4, 'tools/call', { name: 'apply_change', arguments: apply }),
    ].join('\n')
    const { code, stdout } = await place.run(['mcp'], { stdin, env: await as('developer') })
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .toSorted((one, other) => one.id - other.id)
    const [first, tools, key, applied] = answers.map(({ result }) => result)
    expect([code, answers.length]).toEqual([0, 4])
    expect(first.serverInfo.name).toBe('signalbox')
    expect(tools.tools).toHaveLength(10)
    expect(key.structuredContent).toMatchObject({ key: 'stripeKey', tier: 'secret' })
    expect(stdout).not.toContain('value of stripeKey')
    expect(applied.structuredContent).toMatchObject({ code: 'agent_token_forbidden' })
  })
})
