import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkplace, type Workplace } from '../testing/run-cli.ts'
import { type StandIn, startStandIn } from '../testing/stand-in.ts'
import { addSchema } from '../testing/stand-in-state.ts'

let server: StandIn
let place: Workplace

beforeEach(async () => {
  server = await startStandIn()
  addSchema(server.state, 'web')
  place = createWorkplace(server.url)
})
afterEach(async () => {
  place.remove()
  await server.close()
})

const secret = 'sk_live_do_not_store_me'
const print = [
  '--',
  'node',
  '-p',
  'JSON.stringify([process.env.STRIPE_KEY, process.env.TIMEOUT_MS])',
]
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  place.run(['run', '--env', 'development', ...args], { env })
const setSecret = () => place.run(['set', 'stripeKey', '--env', 'development'], { stdin: secret })

describe('run', () => {
  it('starts the program with the values and ends as it ends', async () => {
    await setSecret()
    const result = await run(print)
    expect(JSON.parse(result.stdout)).toEqual([secret, '3000'])
    expect(await run(['--', 'node', '-e', 'process.exit(7)'])).toMatchObject({ code: 7 })
    expect(await run(['--', 'node', '-e', 'process.kill(process.pid, "SIGKILL")'])).toMatchObject({
      signal: 'SIGKILL',
    })
  })

  it('lets variables that are set win, unless --override', async () => {
    await setSecret()
    const env = { TIMEOUT_MS: '1' }
    expect(JSON.parse((await run(print, env)).stdout)).toEqual([secret, '1'])
    expect(JSON.parse((await run(['--override', ...print], env)).stdout)).toEqual([secret, '3000'])
  })

  it('passes signals on', async () => {
    const script =
      'process.on("SIGTERM", () => process.exit(42)); setInterval(() => {}, 1000); console.log("up")'
    const result = await place.run(['run', '--env', 'development', '--', 'node', '-e', script], {
      onStart: (child) => child.stdout?.once('data', () => child.kill('SIGTERM')),
    })
    expect(result.code).toBe(42)
  })

  it('works with the server gone, from a sealed copy, and says how old it is', async () => {
    await setSecret()
    await run(print)
    const kept = join(place.home, 'cache/signalbox/run')
    const [name = ''] = readdirSync(kept)
    const sealed = Buffer.from(readFileSync(join(kept, name), 'utf8'), 'base64').toString('latin1')
    expect(sealed).not.toContain(secret)
    expect(sealed).not.toContain('STRIPE')
    await server.close()
    const gone = await run(print)
    expect(gone.code).toBe(0)
    expect(JSON.parse(gone.stdout)).toEqual([secret, '3000'])
    expect(gone.stderr).toMatch(/using the values kept \d+ seconds? ago/)
    expect(await run(['--no-fallback', ...print])).toMatchObject({ code: 7, stdout: '' })
    server = await startStandIn()
  })

  it('the sealed copy does not open for another token', async () => {
    await setSecret()
    await run(print)
    const result = await run(['--offline', ...print], {
      SIGNALBOX_TOKEN: `sbx_m2m_${'z'.repeat(46)}`,
    })
    expect(result.code).toBe(7)
    expect(result.stdout).toBe('')
  })

  it('does not wait for a server that takes requests and answers none', async () => {
    await setSecret()
    await run(print)
    server.failures.push({ status: 0 })
    const startedAt = performance.now()
    const result = await run(print)
    expect(result).toMatchObject({ code: 0 })
    expect(result.stderr).toContain('did not answer within 5 s')
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })

  it('--offline asks no server', async () => {
    await setSecret()
    await run(print)
    const calls = server.seen.length
    expect(await run(['--offline', ...print])).toMatchObject({ code: 0 })
    expect(server.seen).toHaveLength(calls)
  })

  it('a revoked token gets no kept values', async () => {
    await setSecret()
    await run(print)
    server.state.tokens.clear()
    expect(await run(print)).toMatchObject({ code: 4, stdout: '' })
  })

  it('without a command says what is missing', async () => {
    expect(await run([])).toMatchObject({ code: 2 })
    const result = await run(['--', 'no-such-command-here'])
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('there is no such command')
  })
})
