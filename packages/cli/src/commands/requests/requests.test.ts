import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeDefinition } from '../../testing/definition-files.ts'
import type { MemberBrowser } from '../../testing/real-server.ts'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()
const secret = 'canary-of-the-change-requests'
let grace: MemberBrowser
/** The parent that environments get in some tests. */
let base = ''
let parent: string
let schema: string
let environment: string
let segment: string
let count = 0

interface Shown {
  readonly id: string
  readonly number: number
  readonly title: string
  readonly reason: string
  readonly state: string
  readonly kind: string
  readonly applyAt: string | null
}

beforeAll(async () => {
  grace = await server.openBrowser()
  await server.openBrowser()
})

/** Each test has an environment, a schema and a segment of its own. One other person approves what changes in the environment. */
beforeEach(async () => {
  count += 1
  schema = `web${count}`
  environment = `live${count}`
  segment = `staff${count}`
  writeFileSync(join(place.directory, '.signalbox.json'), JSON.stringify({ schema }))
  declare()
  if (base === '') {
    base = `base${count}`
    parent = await idOf('POST', '/environments', { name: base })
  }
  const environmentId = await idOf('POST', '/environments', { name: environment })
  const when = [{ attribute: 'plan', operator: 'equals', value: 'pro' }]
  await server.call('POST', '/segments', { name: segment, anyOf: [{ when }] })
  const schemaId = await idOf('POST', '/config-schemas', {
    name: schema,
    schema: {
      retries: { type: 'number', tier: 'public', default: 3 },
      pauseMs: { type: 'number', tier: 'public', default: 100 },
      stripeKey: { type: 'string', tier: 'secret' },
      beta: { type: 'boolean', tier: 'featureFlags', default: false },
      paying: { type: 'boolean', tier: 'featureFlags', default: false },
    },
  })
  const rules = { beta: [{ when: [{ segment, operator: 'segment' }], serve: true }] }
  const write = (of: string, values: object, more = {}) =>
    server.call('PUT', '/config-values', { schemaId, environmentId: of, values, ...more })
  await write(environmentId, { retries: 1 })
  await write(environmentId, { retries: 2, beta: false, paying: true }, { rules })
  await write(parent, { retries: 9, pauseMs: 900 })
  await server.call('PATCH', `/environments/${environment}`, {
    protection: { approvals: 1, killSwitches: 'approved' },
  })
})
afterEach(async () => {
  const { items } = await server.call<{ items: { parentId: string | null }[] }>(
    'GET',
    '/environments?limit=100',
  )
  if (items.some(({ parentId }) => parentId === parent)) base = ''
  for (const { id } of await listWaiting()) {
    await server.call('POST', `/change-requests/${id}/withdraw`)
  }
})

const idOf = async (method: string, path: string, body?: object) =>
  (await server.call<{ id: string }>(method, path, body)).id

function declare(more = 'pauseMs: number({ default: 100 })'): void {
  writeDefinition(
    place,
    `public: { retries: number({ default: 3 }), ${more} }, secret: { stripeKey: string() }, featureFlags: { beta: boolean({ default: false }), paying: boolean({ default: false }) },`,
  )
}

const run = (...args: string[]) => place.run([...args, '--yes'], { env: server.asOperator })
const inLive = (...args: string[]) => run(...args, '--env', environment)
const set = (...more: string[]) => inLive('set', 'retries', '5', ...more)
const listWaiting = async () =>
  (await server.call<{ items: Shown[] }>('GET', '/change-requests?state=waiting')).items
const read = (number: number | string) => server.call<Shown>('GET', `/change-requests/${number}`)
const numberIn = (text: string) => Number(/Request (\d+) /.exec(text)?.[1])
const retriesOf = async () =>
  (await place.run(['get', 'retries', '--env', environment])).stdout.trim()

/** Returns what readers of the environment get. A deleted environment has nothing. */
async function readLive(): Promise<string> {
  const values = await place.run(['get', '--env', environment, '--json'])
  const people = await place.run(['segments', 'show', segment, '--json'])
  return values.stdout + people.stdout
}

/** Every command that changes what is read in the environment. */
const commands: Readonly<Record<string, () => readonly string[]>> = {
  set: () => ['set', 'retries', '5', '--env', environment],
  unset: () => ['unset', 'retries', '--env', environment],
  restore: () => ['restore', 'v2', '--env', environment],
  promote: () => ['promote', '--from', base, '--to', environment],
  push: () => ['push', '--env', environment, '--allow-breaking'],
  rules: () => ['rules', 'add', 'beta', '--serve', 'on', '--at', '1', '--env', environment],
  'turn off': () => ['turn', 'off', 'paying', '--env', environment],
  'segments update': () => ['segments', 'update', segment, '--file', 'groups.json'],
  'environments update': () => ['environments', 'update', environment, '--parent', base],
  'environments delete': () => ['environments', 'delete', environment, '--force'],
  import: () => ['import', 'dotenv', '.env', '--env', environment, '--update', 'retries'],
  apply: () => ['apply'],
}

/** The commands whose change makes a version of the environment. */
const valueCommands = new Set(['set', 'unset', 'restore', 'promote', 'rules', 'turn off', 'import'])

/** Writes the files that the commands read. */
function writeFiles(): void {
  const write = (name: string, content: string) =>
    writeFileSync(join(place.directory, name), content, { mode: 0o600 })
  declare('pauseMs: number({ default: 250 })')
  write('.env', 'RETRIES=7\n')
  const when = [{ attribute: 'plan', operator: 'equals', value: 'free' }]
  write('groups.json', JSON.stringify([{ when }]))
  write('signalbox.yaml', `version: 1\nenvironments: { ${environment}: { parent: ${base} } }\n`)
}

describe('a change that people must approve', () => {
  it.each(Object.keys(commands))(
    'by %s says so with 9, is asked for with --request, and is made once it is approved',
    async (name) => {
      writeFiles()
      const args = commands[name]?.() ?? []
      const before = await readLive()
      const refused = await run(...args)
      expect(refused.stderr).toContain(`${environment} needs 1 approval`)
      expect(refused.stderr).toMatch(
        new RegExp(`signalbox .*${args.join(' ')} --yes --request$`, 'm'),
      )
      expect(refused.code).toBe(9)
      expect(await listWaiting()).toEqual([])

      const asked = await run(...args, '--request')
      expect(asked).toMatchObject({ code: 9 })
      const number = numberIn(asked.stdout)
      expect(asked.stdout).toContain(`Request ${number} waits for approval: `)
      expect(asked.stdout).toContain(
        `${environment}: 1 more approval, of a developer, an admin or an owner`,
      )
      expect(asked.stdout).toContain(`${server.url}/${server.slug}/requests/${number}\n`)
      expect(await readLive()).toBe(before)

      await grace.review(number, 'approve')
      const applied = await run('requests', 'apply', String(number))
      expect(applied).toMatchObject({ code: 0 })
      expect(applied.stdout).toContain(`Applied request ${number}`)
      const version = valueCommands.has(name) ? `  ${environment} v\\d+` : ''
      expect(applied.stdout).toMatch(new RegExp(`Applied request ${number}.*${version}`))
      expect(await readLive()).not.toBe(before)
    },
  )

  it('is not made by a request whose approval is missing', async () => {
    const number = numberIn((await set('--request')).stdout)
    const refused = await run('requests', 'apply', String(number))
    expect(refused.code).toBe(9)
    expect(await retriesOf()).toBe('2')
  })

  it('is one document with --json: the error, or the request with its page', async () => {
    const refused = await set('--json')
    expect([refused.code, refused.stdout]).toEqual([9, ''])
    expect(JSON.parse(refused.stderr)).toMatchObject({
      error: {
        code: 'approval_required',
        details: [`${environment} needs 1 approval: retries`],
        hint: expect.stringContaining('--request'),
      },
    })
    const asked = await set('--json', '--request')
    expect([asked.code, asked.stderr]).toEqual([9, ''])
    const { waits, requests } = JSON.parse(asked.stdout) as {
      waits: boolean
      requests: (Shown & { page: string })[]
    }
    expect(waits).toBe(true)
    expect(requests).toHaveLength(1)
    expect(requests[0]?.page).toBe(`${server.url}/${server.slug}/requests/${requests[0]?.number}`)
  })

  it('is made as usual with --request where nobody has to approve it', async () => {
    const done = await run('set', 'retries', '5', '--env', base, '--request')
    expect(done).toMatchObject({ code: 0 })
    expect(done.stdout).toContain('retries = 5')
    expect(await listWaiting()).toEqual([])
  })

  it('has the title, the reason and the time of its request, and a secret that nothing shows', async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString()
    const more = ['--title', 'Rotate the key', '--reason', 'PAY-225', '--at', at]
    const args = ['set', 'stripeKey', '--env', environment, '--yes', ...more]
    const asked = await place.run(args, { stdin: secret, env: server.asOperator })
    expect(asked.code).toBe(9)
    const number = numberIn(asked.stdout)
    expect(await read(number)).toMatchObject({
      title: 'Rotate the key',
      reason: 'PAY-225',
      applyAt: at,
    })
    const shown = await run('requests', 'show', String(number))
    const whole = await run('requests', 'show', String(number), '--json', '--verbose')
    expect(shown.stdout).toContain('stripeKey')
    const plain = ['set', 'stripeKey', '--env', environment, '--yes', '--request', '--json']
    const made = await place.run(plain, { stdin: secret, env: server.asOperator })
    expect(made.code).toBe(9)
    for (const { stdout, stderr } of [asked, shown, whole, made]) {
      expect(stdout + stderr).not.toContain(secret)
    }
    expect(asked.stdout).toContain(`it applies itself at ${at}`)
    const timeless = await run('requests', 'schedule', String(number), '--no-at')
    expect(timeless).toMatchObject({ code: 0 })
    await grace.review(number, 'approve')
    expect(await run('requests', 'apply', String(number))).toMatchObject({ code: 0 })
    // The control: the request did hold it.
    const revealed = await place.run(['get', 'stripeKey', '--env', environment, '--reveal'])
    expect(revealed.stdout.trim()).toBe(secret)
  })

  it('of an import with a title has the secrets of the file', async () => {
    const file = join(place.directory, '.env')
    writeFileSync(file, `STRIPE_KEY=${secret}\n`, { mode: 0o600 })
    const args = ['import', 'dotenv', '.env', '--env', environment, '--update', 'stripeKey']
    const asked = await run(...args, '--title', 'Keys of the shop', '--verbose')
    expect(asked.code).toBe(9)
    expect(asked.stdout + asked.stderr).not.toContain(secret)
    const number = numberIn(asked.stdout)
    expect(await read(number)).toMatchObject({ title: 'Keys of the shop', kind: 'import' })
    await grace.review(number, 'approve')
    expect(await run('requests', 'apply', String(number))).toMatchObject({ code: 0 })
    const revealed = await place.run(['get', 'stripeKey', '--env', environment, '--reveal'])
    expect(revealed.stdout.trim()).toBe(secret)
  })
})

describe('--wait', () => {
  const whenAsked = async () => {
    await expect.poll(async () => (await listWaiting()).length, { timeout: 30_000 }).toBe(1)
    return (await listWaiting())[0]?.number ?? 0
  }

  it('applies the change once it is approved', async () => {
    const waiting = set('--request', '--wait')
    await grace.review(await whenAsked(), 'approve')
    const done = await waiting
    expect(done).toMatchObject({ code: 0 })
    expect(done.stderr).toMatch(/Request \d+ is approved\. Applying it\./)
    expect(done.stdout).toMatch(
      new RegExp(String.raw`^✓ Applied request \d+ {2}${environment} v\d+\n$`),
    )
    expect(await retriesOf()).toBe('5')
  })

  it('ends with 1 and the words of who declined it', async () => {
    const waiting = set('--wait', '1h')
    await grace.review(await whenAsked(), 'decline', 'Not on a Friday')
    const declined = await waiting
    expect(declined.code).toBe(1)
    expect(declined.stderr).toMatch(/Request \d+ is declined\.\n {2}Ada: Not on a Friday/)
    expect(await retriesOf()).toBe('2')
  })

  it('ends with 1 where the request is withdrawn', async () => {
    const waiting = set('--wait')
    await run('requests', 'withdraw', String(await whenAsked()))
    expect(await waiting).toMatchObject({ code: 1, stdout: '' })
  })

  it('ends with 9 after its duration, and the request waits on', async () => {
    const waited = await set('--wait', '1s')
    expect(waited.code).toBe(9)
    expect(await read(numberIn(waited.stdout))).toMatchObject({ state: 'open' })
  })

  it.each([
    [['--wait', 'soon'], 'Use a duration such as 90s, 30m, 2h or 1d'],
    [['--at', '2026-12-01T08:00'], 'Use a date and time with its offset'],
  ])('%j is refused before anything is sent', async (flags, text) => {
    const refused = await set(...flags)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(text)])
    expect(await listWaiting()).toEqual([])
  })
})

describe('requests', () => {
  it('are listed by state, environment and author', async () => {
    const number = numberIn((await set('--request', '--title', 'Five retries')).stdout)
    const list = async (...flags: string[]) => (await run('requests', ...flags)).stdout
    const row = new RegExp(`^${number} {2}open +Five retries .*${environment} 0/1`, 'm')
    expect(await list('--state', 'waiting', '--environment', environment)).toMatch(row)
    expect(await list('--environment', base)).toContain('There are no such requests.')
    expect(await list('--state', 'applied', '--environment', environment)).toContain('no such')
    const token = await grace.createToken()
    const asGrace = (mine: string) =>
      place.run(['requests', '--mine', mine], { env: { SIGNALBOX_TOKEN: token } })
    expect((await asGrace('reviews')).stdout).toMatch(row)
    expect((await asGrace('author')).stdout).toContain('no such')
    const withdrawn = await run('requests', 'withdraw', `#${number}`)
    expect(withdrawn.stdout).toContain(`Withdrew request ${number}`)
    expect(await list('--state', 'waiting', '--environment', environment)).toContain('no such')
  })

  it('are shown with what changes, and with what was said', async () => {
    const number = numberIn((await set('--reason', 'Slow upstream')).stdout)
    await grace.review(number, 'decline', 'Why five?')
    const { stdout } = await run('requests', 'show', String(number))
    expect(stdout).toContain(`Request ${number} is declined.`)
    expect(stdout).toContain('Slow upstream')
    expect(stdout).toMatch(new RegExp(`${environment} · ${schema}\n +~ +public +retries +2 → 5`))
    expect(stdout).toContain('declined by Ada: Why five?')
  })

  it.each(['approve', 'decline', 'override'])(
    'are reviewed by a person: %s prints the address of the page, also behind "requests"',
    async (verb) => {
      const number = numberIn((await set('--request')).stdout)
      const url = `${server.url}/${server.slug}/requests/${number}\n`
      for (const words of [[verb], ['requests', verb]]) {
        const opened = await run(...words, String(number))
        expect([opened.code, opened.stdout]).toEqual([0, url])
        expect(opened.stderr).toContain('A person decides about a request')
      }
      expect(await read(number)).toMatchObject({ state: 'open' })
    },
  )

  it('that do not exist are said to be in no list', async () => {
    for (const reference of ['99999', 'chr_01jd2m4x9k0000000000000001', 'twelve']) {
      const refused = await run('requests', 'show', reference)
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining(`There is no request "${reference}".`),
      ])
    }
  })

  it('take one of --at and --no-at', async () => {
    expect(await run('requests', 'schedule', '1')).toMatchObject({ code: 2 })
  })
})

describe('apply', () => {
  it('makes one request of all changes that wait, and carries out the others', async () => {
    const other = `free${count}`
    for (const name of [other, `tail${count}`]) await server.call('POST', '/environments', { name })
    const file = [
      'version: 1',
      'environments:',
      `  ${other}: { description: Nobody approves this }`,
      `  ${environment}: { parent: ${base} }`,
      `  tail${count}: { description: Waits with the one before }`,
    ]
    writeFileSync(join(place.directory, 'signalbox.yaml'), file.join('\n'))
    const asked = await run('apply', '--request', '--json')
    expect(asked.code).toBe(9)
    const { applied, requests } = JSON.parse(asked.stdout) as {
      applied: boolean
      requests: readonly Shown[]
    }
    expect([applied, requests.map(({ kind }) => kind)]).toEqual([false, ['apply']])
    const description = async (name: string) =>
      (await server.call<{ description: string }>('GET', `/environments/${name}`)).description
    expect(await description(other)).toBe('Nobody approves this')
    expect(await description(`tail${count}`)).toBe('')
    const number = requests[0]?.number ?? 0
    await grace.review(number, 'approve')
    expect(await run('requests', 'apply', String(number))).toMatchObject({ code: 0 })
    expect(await description(`tail${count}`)).toBe('Waits with the one before')
    expect((await run('apply', '--plan')).stdout).toContain('Nothing to do.')
  })
})
