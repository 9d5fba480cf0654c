import { describe, expect, it } from 'vitest'
import { addSchema } from '../../testing/stand-in-state.ts'
import { withStandIn } from '../../testing/with-server.ts'

const { server, place } = withStandIn({ schema: 'web' })

const development = ['--env', 'development']
const secret = 'sk_live_4242424242'

describe('set and get', () => {
  it('set keeps a typed value and get prints it bare', async () => {
    const set = await place.run(['set', 'timeoutMs', '5000', ...development])
    expect(set).toMatchObject({ code: 0, stderr: '' })
    expect(set.stdout).toContain('timeoutMs = 5000')
    const got = await place.run(['get', 'timeoutMs', ...development])
    expect(got).toMatchObject({ code: 0, stdout: '5000\n' })
    expect(server.seen.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      values: { timeoutMs: 5000 },
    })
  })

  it('set refuses what is not of the type, names the key, and sends nothing', async () => {
    const result = await place.run(['set', 'newCheckout', 'yes', ...development])
    expect(result.code).toBe(5)
    expect(result.stderr).toContain('newCheckout must be a boolean')
    expect(server.seen.some(({ method }) => method === 'PUT')).toBe(false)
  })

  it('set takes a secret from the standard input and never prints it', async () => {
    const set = await place.run(['set', 'stripeKey', ...development, '--verbose'], {
      stdin: `${secret}\n`,
    })
    expect(set.code).toBe(0)
    const get = await place.run(['get', 'stripeKey', ...development])
    const all = await place.run(['get', ...development, '--json'])
    expect(all.stdout).toContain('"fingerprint"')
    for (const { stdout, stderr } of [set, get, all]) expect(stdout + stderr).not.toContain(secret)
  })

  it.each([
    [[], `${secret}\n`],
    [['--json'], expect.stringMatching(`"value": "${secret}"`)],
  ])(
    'get prints a secret with --reveal alone, so that no script takes another text for it (%s)',
    async (flags, printed) => {
      await place.run(['set', 'stripeKey', ...development], { stdin: secret })
      const args = ['get', 'stripeKey', ...development, ...flags]
      const refused = await place.run(args)
      expect(refused).toMatchObject({ code: 2, stdout: '' })
      expect(refused.stderr).toContain(
        'It is printed only with --reveal (18 characters, fingerprint',
      )
      expect(refused.stderr).toContain('--env development --reveal')
      expect(refused.stderr).not.toContain(secret)
      const revealed = await place.run([...args, '--reveal'])
      expect(revealed).toMatchObject({ code: 0, stdout: printed, stderr: '' })
    },
  )

  it('get --reveal asks for one value alone, for a person with the word that the audit log wants', async () => {
    expect(await place.run(['get', ...development, '--reveal'])).toMatchObject({ code: 2 })
    await place.run(['set', 'stripeKey', ...development], { stdin: secret })
    const person = `sbx_pat_${'p'.repeat(46)}`
    server.state.tokens.add(person)
    const env = { SIGNALBOX_TOKEN: person }
    const result = await place.run(['get', 'stripeKey', ...development, '--reveal'], { env })
    expect(result).toMatchObject({ code: 0, stdout: `${secret}\n` })
    expect(server.seen.at(-1)?.path).toMatch(/config-values\?.*&key=stripeKey&reveal=true$/)
  })

  it('says what to do where the server asks for a proof of who the person is', async () => {
    server.failures.push({ status: 403, code: 'step_up_required' })
    const result = await place.run(['get', 'stripeKey', ...development, '--reveal'])
    expect(result).toMatchObject({ code: 4, stdout: '' })
    expect(result.stderr).toContain('signalbox login')
  })

  it('set refuses a secret on the command line without repeating it', async () => {
    const result = await place.run(['set', 'stripeKey', secret, ...development])
    expect(result.code).toBe(2)
    expect(result.stderr).toContain('is a secret')
    expect(result.stdout + result.stderr).not.toContain(secret)
    expect(server.seen.some(({ method }) => method === 'PUT')).toBe(false)
  })

  it('--schema names the schema of each command that reads or writes values', async () => {
    addSchema(server.state, 'api')
    const inApi = [...development, '--schema', 'api']
    expect((await place.run(['set', 'timeoutMs', '1', ...development])).stderr).toContain(
      '--schema',
    )
    expect(await place.run(['set', 'timeoutMs', '5000', ...inApi])).toMatchObject({ code: 0 })
    const other = { env: { SIGNALBOX_SCHEMA: 'web' } }
    expect((await place.run(['get', 'timeoutMs', ...inApi], other)).stdout).toBe('5000\n')
    expect((await place.run(['get', 'timeoutMs', ...development], other)).stdout).toBe('3000\n')
    const commands = [['pull', '--dry-run'], ['unset', 'timeoutMs', '--dry-run'], ['history']]
    for (const args of commands) {
      expect(await place.run([...args, ...inApi])).toMatchObject({ code: 0 })
    }
    const missing = await place.run(['get', ...development, '--schema', 'nosuch'], other)
    expect(missing.stderr).toContain('There is no schema "nosuch" on the server.')
    expect(missing.stderr).not.toContain('SIGNALBOX_SCHEMA')
  })

  it('a mistyped key is answered with the near ones', async () => {
    const result = await place.run(['get', 'timeoutMS', ...development])
    expect(result.code).toBe(5)
    expect(result.stderr).toContain('Did you mean "timeoutMs"?')
  })

  it('a mistyped environment is answered with the near ones', async () => {
    const result = await place.run(['get', '--env', 'develpment'])
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('Did you mean "development"?')
  })

  it('a missing environment says which flag is missing', async () => {
    const result = await place.run(['get', 'timeoutMs'])
    expect(result.code).toBe(2)
    expect(result.stderr).toContain('--env is missing')
  })

  it('unset falls back to the default and says so', async () => {
    await place.run(['set', 'timeoutMs', '5000', ...development])
    const result = await place.run(['unset', 'timeoutMs', ...development])
    expect(result.code).toBe(0)
    expect(result.stderr).toContain('falls back to its default value')
  })
})

describe('production', () => {
  it('a change without a terminal needs --yes, and says why nobody can be asked', async () => {
    const args = ['set', 'newCheckout', 'true', '--env', 'production']
    const refused = await place.run(args)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('production environment')
    expect(refused.stderr).toContain("stdin isn't a terminal")
    expect(refused.stderr).toContain('--yes')
    const inCi = await place.run(args, { env: { CI: 'true' } })
    expect(inCi.stderr).toContain('the variable CI is set')
    expect(await place.run([...args, '--yes'])).toMatchObject({ code: 0 })
  })
})

describe('history, restore and promote', () => {
  it('a restored version brings the earlier value back', async () => {
    await place.run(['set', 'timeoutMs', '1', ...development])
    await place.run(['set', 'timeoutMs', '2', ...development])
    const history = await place.run(['history', ...development])
    expect(history.stdout).toMatch(/^v2 .*\nv1 /)
    const dry = await place.run(['restore', 'v1', ...development, '--dry-run'])
    expect(dry.stdout).toContain('2 → 1')
    expect((await place.run(['get', 'timeoutMs', ...development])).stdout).toBe('2\n')
    const restored = await place.run(['restore', 'v1', ...development])
    expect(restored).toMatchObject({ code: 0 })
    expect((await place.run(['get', 'timeoutMs', ...development])).stdout).toBe('1\n')
  })

  it('restore leaves out a flag that is turned off now, names it, and restores it where it is included', async () => {
    await place.run(['set', 'newCheckout', 'true', ...development])
    await place.run(['set', 'newCheckout', 'false', ...development])
    const { id } = server.state.environments.find(({ name }) => name === 'development') ?? {
      id: '',
    }
    server.state.rules.set(`${id}/newCheckout`, [{ when: [], serve: false, aside: 'on' }])
    const args = ['restore', 'v1', ...development]
    const kept = await place.run([...args, '--json'])
    expect(JSON.parse(kept.stdout)).toMatchObject({
      changes: [],
      leftOut: [{ key: 'newCheckout', reason: 'turnedOff' }],
    })
    const line = '  left out, turned off: newCheckout (--include turnedOff)\n'
    expect((await place.run([...args, '--dry-run'])).stdout).toContain(line)
    const all = await place.run([...args, '--include', 'turnedOff'])
    expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining('false → true') })
    expect(await place.run([...args, '--include', 'secret'])).toMatchObject({ code: 2 })
  })

  it('promote shows the difference and copies the values', async () => {
    await place.run(['set', 'timeoutMs', '7', ...development])
    await place.run(['set', 'stripeKey', ...development], { stdin: secret })
    server.seen.splice(0)
    const result = await place.run([
      'promote',
      '--from',
      'development',
      '--to',
      'production',
      '--yes',
    ])
    expect(result.code).toBe(0)
    expect(result.stdout).toContain('timeoutMs  7')
    expect(result.stdout).not.toContain(secret)
    // It reads no values, which a server key would be given with their secrets, and writes on what it has shown.
    const requests = server.seen.filter(({ path }) => path.includes('/config-values'))
    expect(requests.map(({ method, headers }) => [method, headers['if-match']])).toEqual([
      ['POST', undefined],
      ['POST', '"0"'],
    ])
    expect(requests.at(-1)?.body).toMatchObject({ expectedSourceVersion: 2 })
    expect((await place.run(['get', 'timeoutMs', '--env', 'production'])).stdout).toBe('7\n')
  })

  it('promote leaves out secrets and what is expected to differ, names them, and copies what is included', async () => {
    const url = { type: 'string', tier: 'public', expectedToDiffer: true } as const
    for (const { schema } of server.state.schemas) Object.assign(schema, { url })
    await place.run(['set', 'timeoutMs', '7', ...development])
    await place.run(['set', 'url', 'https://staging.example', ...development])
    await place.run(['set', 'stripeKey', ...development], { stdin: secret })
    const args = ['promote', '--from', 'development', '--to', 'production']
    const all = await place.run([...args, '--yes'])
    expect(all.stdout).toContain('  left out, secret: stripeKey (--include secret)\n')
    expect(all.stdout).toContain(
      '  left out, expected to differ: url (--include expectedToDiffer)\n',
    )
    const written = server.seen.findLast(({ method }) => method === 'POST')?.body
    expect(written).not.toHaveProperty('keys')
    const rest = await place.run([...args, '--include', 'secret', '--json', '--dry-run'])
    expect(JSON.parse(rest.stdout)).toMatchObject({
      changes: [{ key: 'stripeKey', tier: 'secret' }],
      leftOut: [{ key: 'url', reason: 'expectedToDiffer' }],
    })
    const both = await place.run([...args, '--include', 'expectedToDiffer,secret', '--yes'])
    expect(both).toMatchObject({ code: 0, stdout: expect.not.stringContaining('left out') })
    const copied = await place.run(['get', 'url', '--env', 'production'])
    expect(copied.stdout).toBe('https://staging.example\n')
    const named = await place.run([...args, 'timeoutMs', '--include', 'secret'])
    expect(named).toMatchObject({ code: 5, stderr: expect.stringContaining('--include: ') })
    expect(await place.run([...args, '--include', 'secrets'])).toMatchObject({ code: 2 })
  })

  it('diff --against has a column for each environment, in the order in which they are named', async () => {
    await place.run(['set', 'timeoutMs', '7', ...development])
    await place.run(['set', 'timeoutMs', '9', '--env', 'production', '--yes'])
    const { stdout, stderr } = await place.run(['diff', ...development, '--against', 'production'])
    expect(stdout).toMatch(/^ +development +production\n[^]*^ +public +timeoutMs +7 +9$/m)
    expect(stderr).toBe('')
  })

  it('diff --against compares secrets by fingerprint and answers 8 with --exit-code', async () => {
    await place.run(['set', 'stripeKey', ...development], { stdin: secret })
    const args = ['diff', '--env', 'production', '--against', 'development', '--exit-code']
    const result = await place.run(args)
    expect(result.code).toBe(8)
    expect(result.stdout).toContain('fingerprint')
    expect(result.stdout + result.stderr).not.toContain(secret)
    await place.run(['set', 'stripeKey', '--env', 'production', '--yes'], { stdin: secret })
    expect(await place.run(args)).toMatchObject({ code: 0 })
  })
})

describe('a flag with rules', () => {
  const rules = [{ when: [], serve: { percent: 25 } }]
  const addRules = async () => {
    await place.run(['set', 'newCheckout', 'false', ...development])
    const { environments } = server.state
    const { id } = environments.find(({ name }) => name === 'development') ?? { id: '' }
    server.state.rules.set(`${id}/newCheckout`, rules)
  }

  it('is listed in words, and its own value alone goes to scripts', async () => {
    await addRules()
    const all = await place.run(['get', ...development])
    expect(all.stdout).toMatch(/^newCheckout +flag +on for 25%/m)
    const one = await place.run(['get', 'newCheckout', ...development])
    expect(one).toMatchObject({ code: 0, stdout: 'false\n' })
    expect(one.stderr).toContain('newCheckout has rules: on for 25%')
    const { stdout } = await place.run(['get', 'newCheckout', ...development, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ value: false, rules })
  })

  it('differs from one with the same value and no rules', async () => {
    await addRules()
    await place.run(['set', 'newCheckout', 'false', '--env', 'production', '--yes'])
    const args = ['diff', '--env', 'production', '--against', 'development', '--exit-code']
    const result = await place.run(args)
    expect(result.code).toBe(8)
    expect(result.stdout).toMatch(/^ +flag +newCheckout +off +on for 25%$/m)
    const { stdout } = await place.run([...args, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      differences: [{ key: 'newCheckout', before: { value: false, rules } }],
    })
  })
})

describe('environments', () => {
  it('are created, listed and deleted; deleting asks', async () => {
    expect(await place.run(['environments', 'create', 'staging', '--production'])).toMatchObject({
      code: 0,
    })
    expect((await place.run(['environments'])).stdout).toMatch(/staging +production/)
    expect(await place.run(['environments', 'delete', 'staging'])).toMatchObject({ code: 2 })
    expect(await place.run(['environments', 'delete', 'staging', '--yes'])).toMatchObject({
      code: 0,
    })
    expect((await place.run(['environments'])).stdout).not.toContain('staging')
  })
})
