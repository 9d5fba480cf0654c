import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { addSchema } from '../../testing/stand-in-state.ts'
import { withStandIn } from '../../testing/with-server.ts'

const { server, place } = withStandIn()

const development = ['--env', 'development']
const canary = 'canary-of-the-account'
const constraints = {
  type: 'object',
  properties: { text: { type: 'string' }, plans: { type: 'array', items: { type: 'string' } } },
  required: ['text'],
}

const open = () =>
  addSchema(server.state, 'shapes', {
    banner: { type: 'json', tier: 'public', constraints },
    account: { type: 'json', tier: 'secret' },
  })
const set = (key: string, value: string) =>
  place.run(['set', key, value, ...development], { stdin: '' })

describe('a value of JSON', () => {
  it('is parsed by set, and printed, run and pulled as its canonical text', async () => {
    open()
    expect(await set('banner', '{ "text": "Sale", "plans": ["pro"] }')).toMatchObject({
      code: 0,
      stderr: '',
    })
    const text = '{"plans":["pro"],"text":"Sale"}'
    const got = await place.run(['get', 'banner', ...development])
    expect(got).toMatchObject({ code: 0, stdout: `${text}\n` })
    const print = ['--', 'node', '-p', 'process.env.BANNER']
    const ran = await place.run(['run', ...development, ...print])
    expect(ran.stdout.trim()).toBe(text)
    // With the server gone, from what was stored.
    const offline = await place.run(['run', ...development, '--offline', ...print])
    expect(offline.stdout.trim()).toBe(text)
    await place.run(['pull', ...development])
    const env = parseEnv(readFileSync(join(place.directory, '.env.local'), 'utf8'))
    expect(env['BANNER']).toBe(text)
    const data = await place.run(['pull', ...development, '--format', 'json', '--output', '-'])
    expect(JSON.parse(data.stdout)).toMatchObject({ BANNER: { text: 'Sale', plans: ['pro'] } })
  })

  it.each([
    ['{"text": "Sale"', 'banner is no JSON at line 1, column 16'],
    ['"Sale"', 'banner must be an object or a list'],
    ['{"text": 1, "text": 2}', 'The object has this member twice'],
  ])('is refused as %s, with the place, and nothing is sent', async (value, words) => {
    open()
    const result = await set('banner', value)
    expect(result.code).toBe(5)
    expect(result.stderr).toContain(words)
    expect(server.seen.some(({ method }) => method === 'PUT')).toBe(false)
  })

  it('that is secret is in no output, also where it is refused', async () => {
    open()
    const account = `{"key": "${canary}"}`
    const send = (stdin: string) => place.run(['set', 'account', ...development], { stdin })
    for (const result of [
      await send(account),
      await send(`${account}x`),
      await place.run(['get', ...development]),
      await place.run(['get', 'account', ...development]),
    ]) {
      expect(result.stdout + result.stderr).not.toContain(canary)
    }
  })

  it('has the type of its schema in generated types', async () => {
    open()
    const types = await place.run(['types', '--output', '-'])
    expect(types.stdout).toContain(
      'readonly banner: Validator<{ readonly text: string; readonly plans?: readonly string[] }>',
    )
    expect(types.stdout).toContain('readonly account: Validator<object>')
  })
})
