import { createFlagEvaluator, type WrittenRule } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent } from '../../audit/testing/expect-audit.ts'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let [base, production, apart] = ['', '', '']
let schemaId: string
let segment: string
let run = 0

const acme = { attribute: 'email', operator: 'endsWith', value: '@acme.test' } as const
const pro = { attribute: 'plan', operator: 'equals', value: 'pro' } as const
const adult = { attribute: 'age', operator: 'greaterOrEqual', value: 18 } as const
const members = [{ when: [acme] }, { when: [pro, adult] }]
const inSegment = (not?: true) => ({ operator: 'segment', segment, ...(not && { not }) })

beforeAll(async () => {
  app = await openConfigApp()
  base = await app.addEnvironment('base')
  production = await app.addEnvironment('production', base)
  apart = await app.addEnvironment('apart')
})
afterAll(() => app.close())

beforeEach(async () => {
  run += 1
  segment = `staff${run}`
  schemaId = await app.addSchema(`web${run}`, {
    checkout: { type: 'boolean' },
    dark: { type: 'boolean' },
    apiUrl: { type: 'string', tier: 'public' },
  })
  await app.ok('developer', 'POST /segments', { body: { name: segment, anyOf: members } })
})

const set = (environmentId: string, rules: object, more: object = {}) =>
  app.ok('developer', 'PUT /config-values', {
    body: { schemaId, environmentId, values: { checkout: false }, rules, ...more },
  })
const ruled = (not?: true) => ({ checkout: [{ when: [adult, inSegment(not)], serve: true }] })
const replace = (anyOf: object, more: object = {}) =>
  app.ok('developer', `PUT /segments/${segment}`, { body: { anyOf, ...more } })
const versionsOf = async (environmentId: string) =>
  (
    await app.ok(
      'viewer',
      `GET /config-versions?schemaId=${schemaId}&environmentId=${environmentId}`,
    )
  ).body.items

async function published(table: 'browser' | 'server', environmentId: string) {
  const [row] = await app.test.asOwner<{ version: number; body: string; flag_rules?: object }>(
    `select * from ${table}_snapshots where schema_id = $1 and environment_id = $2 order by version desc limit 1`,
    [schemaId, environmentId],
  )
  if (row === undefined) throw new Error('Nothing is published')
  return row
}

async function evaluate(environmentId: string, context: object): Promise<boolean> {
  const { body } = await published('server', environmentId)
  const { featureFlags, flagRules = {} } = JSON.parse(body)
  const rules: readonly WrittenRule[] = flagRules.checkout ?? []
  const flag = { schemaId, key: 'checkout', value: featureFlags.checkout, rules }
  return createFlagEvaluator(flag)({ ...context }).value
}

describe('rules that refer to a segment', () => {
  it('are stored and shown with the reference, and published without it', async () => {
    const { body } = await set(production, ruled())
    expect(body.values.checkout.rules).toMatchObject(ruled().checkout)
    const [server, browser] = [
      await published('server', production),
      await published('browser', production),
    ]
    const written = [
      { when: [adult, acme], serve: true },
      { when: [adult, pro, adult], serve: true },
    ]
    expect(JSON.parse(server.body).flagRules).toMatchObject({ checkout: written })
    expect(JSON.parse(Object.values(browser.flag_rules ?? {}).join(''))).toMatchObject(written)
    expect(server.body + JSON.stringify(browser)).not.toContain('segment')
    const matrix = await app.ok('viewer', `GET /config-matrix?schemaId=${schemaId}`)
    expect(matrix.text).toContain(JSON.stringify(inSegment()))
    const [newest] = await versionsOf(production)
    const shown = await app.ok('viewer', `GET /config-versions/${newest.id}`)
    expect(shown.body.changes[0].rulesAfter).toMatchObject(ruled().checkout)
  })

  it('decide for the people of the segment, and negated for the others', async () => {
    await set(production, ruled())
    await set(apart, ruled(true))
    for (const [context, isIn] of [
      [{ age: 20, email: 'a@acme.test' }, true],
      [{ age: 20, plan: 'pro' }, true],
      [{ age: 20, plan: 'free' }, false],
    ] as const) {
      expect([context, await evaluate(production, context)]).toEqual([context, isIn])
      expect([context, await evaluate(apart, context)]).toEqual([context, !isIn])
    }
  })

  it('come along when they are promoted, restored and undone', async () => {
    await set(production, ruled())
    const promoted = await app.ok('developer', 'POST /config-values/promote', {
      body: { schemaId, fromEnvironmentId: production, toEnvironmentId: apart },
    })
    expect(promoted.body.changes[0].rulesAfter).toMatchObject(ruled().checkout)
    expect((await published('server', apart)).body).toContain('@acme.test')
    await replace([{ when: [pro] }])
    await set(production, { checkout: null })
    const uses = async () => (await app.ok('viewer', `GET /segments/${segment}`)).body.uses
    expect(await uses()).toMatchObject([{ environment: 'apart' }])
    const versions = await versionsOf(production)
    const restored = await app.ok('developer', `POST /config-versions/${versions[1].id}/restore`, {
      body: {},
    })
    expect(restored.body.changes[0].rulesAfter).toMatchObject(ruled().checkout)
    // The segment is taken as it is now.
    const { body } = await published('server', production)
    expect(body).not.toContain('@acme.test')
    expect(body).toContain('pro')
    expect(await uses()).toHaveLength(2)
  })

  it('are not restored when the segment was deleted since', async () => {
    await set(production, ruled())
    await set(production, { checkout: null })
    await app.ok('admin', `DELETE /segments/${segment}`)
    const [, old] = await versionsOf(production)
    const refused = await app.call('developer', `POST /config-versions/${old.id}/restore`, {
      body: {},
    })
    expect(refused.body).toMatchObject({ status: 422, code: 'unknown_segment' })
    expect((await versionsOf(production))[0].version).toBe(3)
  })

  it('are written out again by a change of the schema and of the parent', async () => {
    await set(base, ruled())
    await app.ok('developer', `PUT /config-schemas/${schemaId}`, {
      body: {
        schema: { checkout: { type: 'boolean' }, more: { type: 'boolean', default: true } },
      },
    })
    expect((await published('server', production)).body).toContain('@acme.test')
    const child = await app.addEnvironment(`child${run}`, base)
    expect((await published('server', child)).body).toContain('@acme.test')
    await app.ok('admin', `PATCH /environments/${child}`, { body: { parentId: apart } })
    expect((await published('server', child)).body).not.toContain('@acme.test')
    await app.ok('admin', `PATCH /environments/${child}`, { body: { parentId: base } })
    expect((await published('server', child)).body).toContain('@acme.test')
    await app.ok('admin', `DELETE /environments/${child}?force=true`)
    expect(
      await app.test.asOwner('select from segment_uses where segment = $1', [segment]),
    ).toHaveLength(1)
  })
})

describe('a change of a segment', () => {
  it('publishes each place that uses it or inherits from one, and no other', async () => {
    await set(base, ruled())
    const second = await app.addSchema(`second${run}`, { checkout: { type: 'boolean' } })
    await app.ok('developer', 'PUT /config-values', {
      body: { schemaId: second, environmentId: apart, values: { checkout: true }, rules: ruled() },
    })
    const before = await Promise.all(
      [base, production, apart].map(async (id) => (await versionsOf(id))[0].version),
    )
    const changed = await replace([{ when: [pro] }], { comment: 'Only those who pay' })
    expect(changed.body).toMatchObject({ version: 2, flags: 2, usesTotal: 2 })
    const places = changed.body.environments.map(
      ({ schema, environment, flags, version }: Record<string, { kind: string }>) => [
        schema,
        environment,
        flags,
        version?.kind,
      ],
    )
    expect(places.toSorted()).toEqual([
      [`second${run}`, 'apart', ['checkout'], 'segment'],
      [`web${run}`, 'base', ['checkout'], 'segment'],
      [`web${run}`, 'production', ['checkout'], 'segment'],
    ])
    const after = await Promise.all(
      [base, production, apart].map(async (id) => (await versionsOf(id))[0].version),
    )
    expect(after).toEqual([Number(before[0]) + 1, Number(before[1]) + 1, before[2]])
    expect((await published('server', production)).body).not.toContain('@acme.test')
    expect((await published('browser', production)).flag_rules).not.toContain?.('@acme.test')
    expect(await evaluate(production, { age: 20, email: 'a@acme.test' })).toBe(false)
    const [newest] = await versionsOf(production)
    expect(newest).toMatchObject({ kind: 'segment', comment: 'Only those who pay' })
    const shown = await app.ok('viewer', `GET /config-versions/${newest.id}`)
    expect(shown.body.changes).toMatchObject([
      {
        key: 'checkout',
        tier: 'featureFlags',
        change: 'changed',
        before: false,
        after: false,
        rulesBefore: ruled().checkout,
        rulesAfter: ruled().checkout,
        segments: [segment],
      },
    ])
  })

  it('leaves alone an environment that sets the flag itself', async () => {
    await set(base, ruled())
    await set(production, { checkout: null }, { values: { checkout: true } })
    const changed = await replace([{ when: [pro] }])
    const names = changed.body.environments.map(
      ({ environment }: { environment: string }) => environment,
    )
    expect(names).toEqual(['base'])
  })

  it('is previewed by a dry run, which stores nothing', async () => {
    await set(base, ruled())
    const { body: before } = await published('server', production)
    await expectNoEvent(app.test, async () => {
      const dry = await replace([{ when: [pro] }], { dryRun: true })
      expect(dry.body).toMatchObject({ version: 1, anyOf: members })
      expect(dry.body.environments).toMatchObject([
        { environment: 'base', flags: ['checkout'], version: null },
        { environment: 'production', flags: ['checkout'], version: null },
      ])
    })
    expect((await published('server', production)).body).toBe(before)
  })

  it('is refused whole when it would be too many rules for one flag', async () => {
    await set(production, { checkout: [{ when: [inSegment(true), inSegment(true)], serve: true }] })
    const wide = Array.from({ length: 4 }, () => ({ when: [acme, pro, adult] }))
    await expectNoEvent(app.test, async () => {
      const refused = await app.call('developer', `PUT /segments/${segment}`, {
        body: { anyOf: wide },
      })
      expect(refused.body).toMatchObject({ status: 422, code: 'too_many_rules' })
      expect(refused.body.detail).toContain('checkout')
    })
    expect((await app.ok('viewer', `GET /segments/${segment}`)).body.version).toBe(1)
  })

  it('is refused whole when the rules of an environment would be too large', async () => {
    const flags = Array.from({ length: 10 }, (_, n) => `flag${n}`)
    const id = await app.addSchema(
      `many${run}`,
      Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' }])),
    )
    await app.ok('developer', 'PUT /config-values', {
      body: {
        schemaId: id,
        environmentId: production,
        values: Object.fromEntries(flags.map((flag) => [flag, false])),
        rules: Object.fromEntries(
          flags.map((flag) => [flag, [{ when: [inSegment()], serve: true }]]),
        ),
      },
    })
    const values = Array.from({ length: 200 }, (_, n) => `${n}`.padEnd(200, 'x'))
    await expectNoEvent(app.test, async () => {
      const refused = await app.call('developer', `PUT /segments/${segment}`, {
        body: { anyOf: [{ when: [{ attribute: 'customer', operator: 'in', values }] }] },
      })
      expect(refused.body).toMatchObject({ status: 413, code: 'value_too_large' })
      expect(refused.body.detail).toContain('production')
    })
  })

  it('emits the versions of production, so that a chat says it', async () => {
    await app.test.asOwner(
      `insert into integrations (org_id, id, kind, provider, state) values ($1, 'int_1', 'chat', 'slack', 'connected')
       on conflict do nothing`,
      [app.orgId],
    )
    await app.ok('admin', `PATCH /environments/${production}`, { body: { production: true } })
    await set(base, ruled())
    app.emittedIds.splice(0)
    await replace([{ when: [pro] }])
    expect(app.emittedIds).toEqual([(await versionsOf(production))[0].id])
    await app.ok('admin', `PATCH /environments/${production}`, { body: { production: false } })
  })

  it('reads and writes by a number of statements that does not grow with the places', async () => {
    const count = async () => {
      const counted = { statements: 0 }
      const { store } = app.deps
      const original = store.transaction.bind(store)
      Object.assign(store, {
        transaction: (scope: never, work: (tx: never) => Promise<unknown>) =>
          original(scope, (tx) => {
            const query = tx.query.bind(tx)
            const send = tx.send.bind(tx)
            Object.assign(tx, {
              query: (statement: never) => ((counted.statements += 1), query(statement)),
              send: (statement: never) => ((counted.statements += 1), send(statement)),
            })
            return work(tx as never)
          }),
      })
      await replace([{ when: [pro, { ...adult, value: (run += 1) }] }])
      Object.assign(store, { transaction: original })
      return counted.statements
    }
    await set(production, ruled())
    const one = await count()
    expect(one).toBeGreaterThan(5)
    await set(base, ruled())
    await set(apart, ruled())
    expect(await count()).toBe(one)
  })
})

describe('writes that meet a change of their segment', () => {
  const rounds = 6

  it('never leave a reference to a segment that is gone', async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < rounds; round += 1) {
      const name = `racing${run}-${round}`
      await app.ok('developer', 'POST /segments', { body: { name, anyOf: members } })
      const rules = { checkout: [{ when: [{ operator: 'segment', segment: name }], serve: true }] }
      const [deleted, written] = await Promise.all([
        app.call('admin', `DELETE /segments/${name}`),
        app.call('developer', 'PUT /config-values', {
          body: { schemaId, environmentId: production, values: { checkout: false }, rules },
        }),
      ])
      outcomes.add(`${deleted.status} ${written.status}`)
      await set(production, { checkout: null })
    }
    expect([...outcomes].filter((pair) => !['204 422', '409 200'].includes(pair))).toEqual([])
  })

  it('publish the segment as it is last, whoever was first', async () => {
    for (let round = 0; round < rounds; round += 1) {
      await set(production, { checkout: null })
      const value = `plan-${round}`
      await Promise.all([
        replace([{ when: [{ ...pro, value }] }]),
        set(production, ruled()),
        set(apart, ruled(true)),
      ])
      expect((await published('server', production)).body).toContain(value)
      expect((await published('server', apart)).body).toContain(value)
    }
  })
})
