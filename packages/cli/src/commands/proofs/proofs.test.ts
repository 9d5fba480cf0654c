import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MemberBrowser } from '../../testing/real-server.ts'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()
let grace: MemberBrowser
let signal: string
let signalId: string
let secret: string
let environment: string
let schemaId: string
let count = 0

interface Shown {
  readonly id: string
  readonly state: string
  readonly terms: object
  readonly subject: { readonly version: number; readonly environment: string }
}

const run = (...args: string[]) => place.run([...args, '--yes'], { env: server.asOperator })
const inLive = (...args: string[]) => run(...args, '--env', environment)
const listProofs = async () =>
  (await server.call<{ items: Shown[] }>('GET', `/proofs?schema=${schemaId}`)).items
const watched = ['--prove', '30m', '--failures', '1 of 2']
const prove = (...more: string[]) => [...watched, '--signal', signal, ...more]
const alarm = (status: 'firing' | 'resolved') =>
  fetch(`${server.url}/signals/${signalId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  })

beforeAll(async () => {
  grace = await server.openBrowser()
})

/** Each test has a signal of alerts, and an environment in which every command has something to change. */
beforeEach(async () => {
  count += 1
  const schema = `proven${count}`
  signal = `pager${count}`
  environment = `watched${count}`
  writeFileSync(join(place.directory, '.signalbox.json'), JSON.stringify({ schema }))
  const made = await run('signals', 'create', signal, '--kind', 'alert', '--json')
  ;({
    secret,
    signal: { id: signalId },
  } = JSON.parse(made.stdout) as { secret: string; signal: { id: string } })
  const when = [{ attribute: 'plan', operator: 'equals', value: 'pro' }]
  await server.call('POST', '/segments', { name: `staff${count}`, anyOf: [{ when }] })
  const { id } = await server.call<{ id: string }>('POST', '/environments', { name: environment })
  ;({ id: schemaId } = await server.call<{ id: string }>('POST', '/config-schemas', {
    name: schema,
    schema: {
      retries: { type: 'number', tier: 'public', default: 3 },
      beta: { type: 'boolean', tier: 'featureFlags', default: false },
    },
  }))
  const rules = {
    beta: [{ when: [{ segment: `staff${count}`, operator: 'segment' }], serve: true }],
  }
  const write = (values: object, more = {}) =>
    server.call('PUT', '/config-values', { schemaId, environmentId: id, values, ...more })
  await write({ retries: 1 })
  await write({ retries: 2, beta: false }, { rules })
  await inStaging()
})

/** Gives staging another value, to promote. */
async function inStaging(): Promise<void> {
  const { items } = await server.call<{ items: { id: string; name: string }[] }>(
    'GET',
    '/environments',
  )
  const environmentId = items.find(({ name }) => name === 'staging')?.id
  await server.call('PUT', '/config-values', { schemaId, environmentId, values: { retries: 9 } })
}

/** Every command whose write may say how it is watched. */
const commands: Readonly<Record<string, () => readonly string[]>> = {
  set: () => ['set', 'retries', '5', '--env', environment],
  rules: () => ['rules', 'add', 'beta', '--serve', 'on', '--at', '1', '--env', environment],
  'turn off': () => ['turn', 'off', 'beta', '--env', environment],
  restore: () => ['restore', 'v1', '--env', environment],
  promote: () => ['promote', '--from', 'staging', '--to', environment],
  'segments update': () => ['segments', 'update', `staff${count}`, '--file', 'groups.json'],
}

describe('a change with --prove and --signal', () => {
  it.each(Object.keys(commands))('by %s is watched so, and says it in one line', async (name) => {
    const when = [{ attribute: 'plan', operator: 'equals', value: 'free' }]
    writeFileSync(join(place.directory, 'groups.json'), JSON.stringify([{ when }]))
    const done = await run(...(commands[name]?.() ?? []), ...prove('--on-failure', 'tell'))
    expect(done).toMatchObject({ code: 0 })
    const [proof, ...others] = await listProofs()
    expect(others).toEqual([])
    expect(proof).toMatchObject({
      state: 'watching',
      subject: { environment },
      terms: {
        signals: [signalId],
        minutes: 30,
        failures: '1 of 2',
        noData: 'hold',
        onFailure: 'tell',
      },
    })
    expect(done.stderr).toContain(
      `proven${count} in ${environment} v${proof?.subject.version}: Unproven, 30 min left. ${signal} watches it. If it turns bad, it is told.\n`,
    )
  })

  it('is taken back when its signal turns bad: --wait ends with 10, and says why', async () => {
    await alarm('resolved')
    const ending = inLive('set', 'retries', '5', ...prove('--wait', '5m'))
    await expect.poll(listProofs).toHaveLength(1)
    expect((await alarm('firing')).status).toBe(202)
    const ended = await ending
    expect(ended.stderr).toContain('The change was taken back by its proof.')
    expect(ended.stderr).toMatch(new RegExp(`Restored because ${signal}`))
    expect(ended.code).toBe(10)
    expect((await inLive('get', 'retries')).stdout).toBe('2\n')
  }, 120_000)

  it('is live with --wait until a person decides: 0 where it counts as proven, 1 otherwise', async () => {
    for (const [as, code, said] of [
      ['proven', 0, /^$/],
      ['tell', 1, /change_not_proven/],
    ] as const) {
      const ending = inLive('set', 'retries', String(10 + code), ...prove('--wait', '5m', '--json'))
      const find = async () => (await listProofs()).find(({ state }) => state === 'watching')
      await expect.poll(find).toBeDefined()
      await grace.stopProof((await find())?.id ?? '', as)
      const ended = await ending
      expect(ended.code).toBe(code)
      expect(ended.stderr).toMatch(said)
    }
  }, 60_000)

  it('is not made with a signal that is not there, or with none', async () => {
    const before = (await inLive('get', 'retries')).stdout
    const unknown = await inLive('set', 'retries', '5', '--signal', 'pagr')
    expect(unknown).toMatchObject({ code: 1 })
    expect(unknown.stderr).toContain('There is no signal "pagr".')
    const none = await inLive('set', 'retries', '5', '--prove', '5m')
    expect(none).toMatchObject({ code: 2 })
    expect(none.stderr).toContain('Add --signal <name>')
    const odd = await inLive('set', 'retries', '5', '--signal', signal, '--failures', '6 of 5')
    expect(odd.code).toBe(5)
    expect((await inLive('get', 'retries')).stdout).toBe(before)
    expect(await listProofs()).toEqual([])
  })
})

describe('an environment that watches its changes', () => {
  it('is told to by --prove, keeps what is left out, and ends it with --no-prove', async () => {
    const update = (...more: string[]) => run('environments', 'update', environment, ...more)
    const policy = async () =>
      (
        await server.call<{ protection: { prove: object | null } }>(
          'GET',
          `/environments/${environment}`,
        )
      ).protection.prove
    expect(await update('--prove', '20m', '--signal', signal)).toMatchObject({ code: 0 })
    await update('--on-failure', 'tell')
    expect(await policy()).toEqual({
      signals: [signalId],
      minutes: 20,
      failures: '3 of 5',
      noData: 'hold',
      onFailure: 'tell',
    })
    const done = await inLive('set', 'retries', '5')
    expect(done.stderr).toContain(`Unproven, 20 min left. ${signal} watches it.`)
    await update('--no-prove')
    expect(await policy()).toBeNull()
    expect((await inLive('set', 'retries', '6')).stderr).not.toContain('Unproven')
  })
})

describe('signalbox proofs', () => {
  it('lists and shows a proof, and leads to the page on which a person ends it', async () => {
    await inLive('set', 'retries', '5', ...prove())
    const [proof] = await listProofs()
    const listed = await run('proofs', '--environment', environment)
    expect(listed.stdout).toContain(proof?.id)
    expect(listed.stdout).toContain('Unproven, 30 min left')
    const shown = await run('proofs', 'show', proof?.id ?? '')
    expect(shown.stdout).toContain('restored at 1 of 2 bad readings')
    expect(shown.stdout).toContain(`${signal} (alert): `)
    const stop = await run('proofs', 'stop', proof?.id ?? '')
    expect(stop.stdout).toContain(`${server.url}/${server.slug}/history?schema=${schemaId}`)
    const missing = await run('proofs', 'show', 'prf_01KBAAAAAAAAAAAAAAAAAAAAAA')
    expect(missing.code).toBe(1)
    expect(missing.stderr).toContain('There is no proof')
  })
})

describe('signalbox signals', () => {
  it('prints the secret of an address once, and no command shows it again', async () => {
    const made = await run('signals', 'create', `once${count}`, '--kind', 'alert')
    expect(made.stdout).toMatch(/^\S{20,}\n$/)
    const printed = made.stdout.trim()
    expect(made.stderr).toContain(`${server.url}/signals/sig_`)
    const renewed = await run('signals', 'update', `once${count}`, '--new-secret')
    expect(renewed.stdout).toMatch(/^\S{20,}\n$/)
    expect(renewed.stdout.trim()).not.toBe(printed)
    for (const args of [['signals'], ['signals', 'show', `once${count}`], ['signals', '--json']]) {
      const { stdout, stderr } = await run(...args)
      expect(stdout + stderr).not.toContain(printed)
      expect(stdout + stderr).not.toContain(renewed.stdout.trim())
    }
  })

  it('makes each kind by its flags, changes one flag of it, and deletes it', async () => {
    const name = `errors${count}`
    const query = 'sum(rate(errors_total{env="{environment}"}[1m]))'
    const url = 'https://prometheus.example.com'
    const of = (...more: string[]) => run('signals', ...more)
    const kind = ['--kind', 'prometheus', '--url', url, '--query', query]
    expect(await of('create', name, ...kind, '--above', '2')).toMatchObject({ code: 0 })
    expect(await of('update', name, '--below', '-1')).toMatchObject({ code: 0 })
    const page = ['--kind', 'http', '--url', 'https://shop.example.com/health']
    await of('create', `page${count}`, ...page, '--pointer', '/ok', '--equals', 'true')
    const tests = ['--kind', 'tests', '--repository', 'acme/shop', '--workflow', 'e2e.yml']
    await of('create', `tests${count}`, ...tests, '--deadline', '1h')
    const { signals } = JSON.parse((await of('list', '--json')).stdout) as {
      signals: { name: string; spec: object }[]
    }
    const specOf = (of: string) => signals.find((each) => each.name === of)?.spec
    expect(specOf(name)).toEqual({ kind: 'prometheus', url, query, above: 2, below: -1 })
    expect(specOf(`page${count}`)).toMatchObject({ expect: { pointer: '/ok', equals: true } })
    expect(specOf(`tests${count}`)).toMatchObject({ deadlineMinutes: 60 })
    const bad = await of('create', 'no-limit', ...kind)
    expect(bad.code).toBe(5)
    expect(await of('delete', name)).toMatchObject({ code: 0 })
    expect((await of('show', name)).code).toBe(1)
  })

  it('reads one now, and reads an Authorization header from stdin that nothing shows', async () => {
    await alarm('firing')
    const tested = await run('signals', 'test', signal)
    expect(tested.stdout).toContain(`${signal}: bad`)
    const canary = 'Bearer canary-of-the-signals'
    const url = 'https://shop.example.com/health'
    const args = ['signals', 'create', `page${count}`, '--kind', 'http', '--url', url]
    const made = await place.run([...args, '--authorization-stdin', '--json'], {
      stdin: canary,
      env: server.asOperator,
    })
    expect(JSON.parse(made.stdout)).toMatchObject({ signal: { hasCredential: true } })
    expect(made.stdout + made.stderr).not.toContain('canary-of-the-signals')
  })
})
