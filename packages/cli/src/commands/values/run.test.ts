import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { oneOfEach, writeDefinition } from '../../testing/definition-files.ts'
import { withStandIn } from '../../testing/with-server.ts'

const { server, place } = withStandIn({ schema: 'web' })

const secret = 'sk_live_do_not_store_me'
const print = [
  '--',
  'node',
  '-p',
  'JSON.stringify([process.env.STRIPE_KEY, process.env.TIMEOUT_MS])',
]
const run = (args: readonly string[], env: Record<string, string | undefined> = {}) =>
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
    const env = { TIMEOUT_MS: '1', API_URL: 'http://localhost:3000' }
    const kept = await run(print, env)
    expect(JSON.parse(kept.stdout)).toEqual([secret, '1'])
    expect(kept.stderr).toContain('already set, not changed: TIMEOUT_MS (')
    expect(kept.stderr).not.toContain(secret)
    expect(JSON.parse((await run(['--json', ...print], env)).stderr)).toMatchObject({
      status: { setAlready: ['TIMEOUT_MS'] },
    })
    const overridden = await run(['--override', ...print], env)
    expect(JSON.parse(overridden.stdout)).toEqual([secret, '3000'])
    expect(overridden.stderr).toBe('')
  })

  it('puts the prefix of the framework before public values and flags only, with the server gone too', async () => {
    await setSecret()
    writeFileSync(join(place.directory, 'package.json'), '{"dependencies":{"vite":"8"}}')
    const names = async (...args: string[]) =>
      JSON.parse((await run([...args, '--json', '--dry-run', '--', 'true'])).stdout)
    const prefixed = ['STRIPE_KEY', 'VITE_API_URL', 'VITE_NEW_CHECKOUT', 'VITE_TIMEOUT_MS']
    const listed = { variables: expect.arrayContaining(prefixed) }
    expect(await names('--prefix', 'auto')).toMatchObject(listed)
    expect(await names('--prefix', 'VITE_', '--offline')).toMatchObject(listed)
  })

  it('says which values Next.js cuts, because a pulled file has them too', async () => {
    await place.run(['set', 'stripeKey', '--env', 'development'], { stdin: 'pa$word1' })
    writeFileSync(join(place.directory, 'package.json'), '{"dependencies":{"next":"16"}}')
    const nextEnv = createRequire(import.meta.url).resolve('@next/env')
    const script = `require(${JSON.stringify(nextEnv)}).loadEnvConfig('.'); console.log(process.env.STRIPE_KEY)`
    const alone = await run(['--', 'node', '-e', script])
    expect([alone.stdout, alone.stderr]).toEqual(['pa$word1\n', ''])
    await place.run(['pull', '--env', 'development', '--yes'])
    const both = await run(['--', 'node', '-e', script])
    expect(both.stdout).toBe('pa\n')
    expect(both.stderr).toContain('STRIPE_KEY: .env.local sets it too')
    expect(both.stderr).not.toContain('word1')
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
    expect(gone.stderr).toMatch(/using the values stored \d+ seconds? ago/)
    expect(await run(['--no-fallback', ...print])).toMatchObject({ code: 7, stdout: '' })
  })

  it('the sealed copy does not open for another token', async () => {
    await setSecret()
    await run(print)
    const result = await run(['--offline', ...print], {
      SIGNALBOX_TOKEN: `sbx_m2m_${'z'.repeat(46)}`,
    })
    expect(result.code).toBe(5)
    expect(result.stdout).toBe('')
    expect(result.stderr).toContain("This token can't decrypt the stored values")
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

  const page = '<!doctype html><h1>Nothing here</h1>'
  it.each([
    ['fails with a page', { status: 500, page }, 'answered 500'],
    ['answers a page', { status: 200, page }, 'does not answer like a Signalbox server'],
    ['leads elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:9' } }, 'redirects'],
  ])('starts from what was kept when the server %s', async (_, failure, said) => {
    await setSecret()
    await run(print)
    server.failures.push(failure, failure, failure)
    const result = await run(print)
    expect(result).toMatchObject({ code: 0 })
    expect(JSON.parse(result.stdout)).toEqual([secret, '3000'])
    expect(result.stderr).toContain(said)
    expect(result.stderr).toMatch(/using the values stored \d+ seconds? ago/)
    expect(result.stderr).not.toContain(secret)
  })

  it('with --json says on stderr that values are kept ones, and stdout is the program\u2019s', async () => {
    await setSecret()
    await run(print)
    server.failures.push({ status: 500 })
    const result = await run(['--json', ...print])
    expect(JSON.parse(result.stdout)).toEqual([secret, '3000'])
    expect(JSON.parse(result.stderr)).toMatchObject({
      status: { source: 'kept', version: 1, warnings: [expect.stringContaining('Made to fail')] },
    })
  })

  it('without a command says what is missing', async () => {
    expect(await run([])).toMatchObject({ code: 2 })
    const result = await run(['--', 'no-such-command-here'])
    expect(result.code).toBe(127)
    expect(result.stderr).toContain('there is no such command')
    writeFileSync(join(place.directory, 'plain'), 'text')
    expect(await run(['--', './plain'])).toMatchObject({ code: 126 })
  })
})

describe('run with values that do not fit the definition', () => {
  it('says how to set each of them, in the environment that was named', async () => {
    writeDefinition(place, oneOfEach)
    const { code, stderr } = await run(print)
    expect(code).toBe(5)
    expect(stderr).toContain('signalbox set stripeKey --env development')
    expect(stderr).not.toContain('<')
  })
})

describe('run --fallback', () => {
  const file = () => join(place.directory, 'values.sealed')
  const passphrase = 'correct horse battery staple'
  const withPassphrase = { SIGNALBOX_PASSPHRASE: passphrase }
  const alone = { ...withPassphrase, SIGNALBOX_TOKEN: undefined }
  const offline = ['--offline', '--fallback', 'values.sealed', ...print]
  const keep = () => run(['--fallback', 'values.sealed', '--', 'true'], withPassphrase)

  it('keeps the values in a file that opens with the passphrase, without a token or a server', async () => {
    await setSecret()
    expect(await keep()).toMatchObject({ code: 0 })
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    const sealed = Buffer.from(readFileSync(file(), 'utf8'), 'base64').toString('latin1')
    for (const text of [secret, 'STRIPE', 'development']) expect(sealed).not.toContain(text)
    expect(readdirSync(place.home)).not.toContain('cache')
    await server.close()
    const result = await run(offline, alone)
    expect(result).toMatchObject({ code: 0 })
    expect(JSON.parse(result.stdout)).toEqual([secret, '3000'])
    expect(result.stderr).toMatch(/using the values stored \d+ seconds? ago \(v1, /)
  })

  it('takes the passphrase of a file, and gives it to no program', async () => {
    await setSecret()
    const path = join(place.home, 'passphrase')
    writeFileSync(path, `${passphrase}\n`)
    const script =
      'console.log(Object.keys(process.env).filter((n) => n.startsWith("SIGNALBOX_PASS")).length)'
    const args = ['--fallback', 'values.sealed', '--', 'node', '-e', script]
    expect(await run(args, { SIGNALBOX_PASSPHRASE_FILE: path })).toMatchObject({ stdout: '0\n' })
    expect(await run(args, withPassphrase)).toMatchObject({ stdout: '0\n' })
    expect(await run(offline, alone)).toMatchObject({ code: 0 })
  })

  it('refuses a file that was changed, another passphrase, and a short one', async () => {
    await setSecret()
    await keep()
    const wrong = { ...alone, SIGNALBOX_PASSPHRASE: 'another horse battery staple' }
    const result = await run(offline, wrong)
    expect(result).toMatchObject({ code: 5, stdout: '' })
    expect(result.stderr).toContain("This passphrase can't decrypt the stored values")
    const short = await run(offline, { ...alone, SIGNALBOX_PASSPHRASE: 'short-one' })
    expect(short).toMatchObject({ code: 2, stdout: '' })
    expect(short.stderr).not.toContain('short-one')
    writeFileSync(file(), readFileSync(file(), 'utf8').slice(0, -8))
    expect(await run(offline, alone)).toMatchObject({ code: 5, stdout: '' })
  })

  it('refuses the values of another environment', async () => {
    await keep()
    const other = await place.run(['run', '--env', 'production', ...offline], { env: alone })
    expect(other).toMatchObject({ code: 5, stdout: '' })
    expect(other.stderr).toContain(
      'are of environment development, but the command asks for production',
    )
  })

  it('says what is missing: a file, a directory, something to seal with', async () => {
    expect(await run(offline, alone)).toMatchObject({ code: 7, stdout: '' })
    const directory = await run(['--fallback', 'nowhere/values', '--', 'true'], withPassphrase)
    expect(directory).toMatchObject({ code: 2 })
    const key = await run(offline, { SIGNALBOX_TOKEN: undefined })
    expect(key).toMatchObject({ code: 2 })
    expect(key.stderr).toContain('SIGNALBOX_PASSPHRASE')
  })

  it('--offline with --no-fallback has nothing to start with, and says so', async () => {
    const { code, stderr } = await run(['--offline', '--no-fallback', '--', 'node', '-e', ''])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--no-fallback uses none')])
  })

  it('a passphrase is no flag', async () => {
    const result = await run(['--passphrase', passphrase, ...print])
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toContain('SIGNALBOX_PASSPHRASE')
    expect(result.stderr).not.toContain(passphrase)
  })
})
