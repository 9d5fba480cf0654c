import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoEvent } from '../../audit/testing/expect-audit.ts'
import { buildKey, openConfigApp, type Answer, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let base: string
let child: string
let other: string
beforeAll(async () => {
  app = await openConfigApp()
  base = await app.addEnvironment('base')
  child = await app.addEnvironment('child', base)
  other = await app.addEnvironment('other')
})
afterAll(() => app.close())

const open = { type: 'string', tier: 'public' } as const
const schema = { a: open, b: open, token: { type: 'string' }, on: { type: 'boolean' } } as const

interface Change {
  readonly environmentId: string
  readonly expectedVersion?: number
  readonly set?: object
  readonly rules?: object
  readonly unset?: readonly string[]
}

const change = (schemaId: string, changes: readonly Change[], more: object = {}) =>
  app.call('developer', 'POST /config-changes', { body: { schemaId, changes, ...more } })

const restore = (restores: unknown, more: object = {}, as = 'developer') =>
  app.call(as, 'POST /config-versions/restore', { body: { restores, ...more } })

async function valuesOf(schemaId: string, environmentId: string) {
  const path = `GET /config-values?schemaId=${schemaId}&environmentId=${environmentId}`
  const { version, values } = (await app.ok('m2m', path)).body
  const entries = Object.entries<{ value?: unknown }>(values)
  return { version, ...Object.fromEntries(entries.map(([key, { value }]) => [key, value])) }
}

const auditOf = (schemaId: string) =>
  app.test.asOwner<{ action: string; detail: Record<string, unknown> }>(
    `select action, detail from audit_events where target ->> 'id' = $1 and action like 'value.%' order by sequence`,
    [schemaId],
  )

describe('a change set', () => {
  it('writes one version and one audit event in each environment, and what inherits follows', async () => {
    const id = await app.addSchema('several', schema)
    const done = await change(
      id,
      [
        {
          environmentId: other,
          set: { a: 'o', on: true },
          rules: { on: [{ when: [], serve: false }] },
        },
        { environmentId: base, set: { a: 'b', token: 'canary' } },
      ],
      { comment: 'Both at once' },
    )
    expect(done.status).toBe(200)
    expect(done.text).not.toContain('canary')
    expect(done.body).toMatchObject({
      environments: [
        {
          environmentId: other,
          changes: [
            { key: 'a', change: 'added', after: 'o' },
            { key: 'on', change: 'added', after: true, rulesAfter: [{ serve: false }] },
          ],
          version: { version: 2, kind: 'write', comment: 'Both at once' },
        },
        {
          environmentId: base,
          changes: [
            { key: 'a', after: 'b' },
            { key: 'token', tier: 'secret', change: 'added' },
          ],
          version: { version: 2, kind: 'write' },
        },
        { environmentId: child, version: { version: 2, kind: 'inherited' } },
      ],
      problems: [],
      requires: [],
      conflicts: [],
    })
    expect(await valuesOf(id, child)).toMatchObject({ a: 'b', token: 'canary', version: 2 })
    expect(await auditOf(id)).toMatchObject([
      { action: 'value.set', detail: { environmentId: other, version: 2, keys: ['a', 'on'] } },
      { action: 'value.set', detail: { environmentId: base, version: 2, keys: ['a', 'token'] } },
    ])
    expect(JSON.stringify(await auditOf(id))).not.toContain('canary')
  })

  it('writes one version where an environment is edited and inherits from another that is', async () => {
    const id = await app.addSchema('family', schema)
    const done = await change(id, [
      { environmentId: child, set: { b: 'own' } },
      { environmentId: base, set: { a: 'above' } },
    ])
    expect(done.body.environments).toMatchObject([
      { environmentId: child, version: { version: 2, kind: 'write' } },
      { environmentId: base, version: { version: 2, kind: 'write' } },
    ])
    expect(done.body.environments[0].changes.map(({ key }: { key: string }) => key)).toEqual([
      'a',
      'b',
    ])
    expect(await valuesOf(id, child)).toMatchObject({ a: 'above', b: 'own' })
  })

  it('stores nothing at all when one cell is at fault, and names every cell', async () => {
    const id = await app.addSchema('faulty', schema)
    const changes = [
      { environmentId: base, set: { a: 'fine' } },
      {
        environmentId: other,
        set: { a: 7, nope: 'x', b: 'y' },
        rules: { a: [] },
        unset: ['b', 'never'],
      },
    ]
    const refused = await change(id, changes)
    expect(refused.body).toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: [
        { pointer: '/changes/1/set/a', code: 'type_mismatch' },
        { pointer: '/changes/1/set/nope', code: 'unknown_key' },
        { pointer: '/changes/1/rules/a', code: 'tier_mismatch' },
        { pointer: '/changes/1/unset/0', code: 'validation_failed' },
        { pointer: '/changes/1/unset/1', code: 'unknown_key' },
      ],
    })
    expect(await valuesOf(id, base)).toEqual({ version: 1 })
    const looked = await change(id, changes, { dryRun: true })
    expect(looked.body.problems).toMatchObject([
      { environmentId: other, key: 'a', code: 'type_mismatch' },
      { environmentId: other, key: 'nope', code: 'unknown_key' },
      { environmentId: other, key: 'a', code: 'tier_mismatch' },
      { environmentId: other, key: 'b', code: 'validation_failed' },
      { environmentId: other, key: 'never', code: 'unknown_key' },
    ])
    expect(looked.body.environments).toMatchObject([
      { environmentId: base, changes: [{ key: 'a' }], version: null },
      { environmentId: child },
    ])
  })

  it('is looked at without storing anything', async () => {
    const id = await app.addSchema('looked-at', schema)
    await change(id, [{ environmentId: base, set: { a: 'before', token: 'canary-1' } }])
    await expectNoEvent(app.test, async () => {
      const looked = await change(
        id,
        [{ environmentId: base, set: { a: 'after', token: 'canary-2' }, unset: ['b'] }],
        { dryRun: true },
      )
      const kept = { sourceBefore: { source: 'set' }, sourceAfter: { source: 'set' } }
      expect(looked.body.environments).toEqual([
        {
          environmentId: base,
          changes: [
            {
              key: 'a',
              tier: 'public',
              change: 'changed',
              before: 'before',
              after: 'after',
              ...kept,
            },
            { key: 'token', tier: 'secret', change: 'changed', ...kept },
          ],
          version: null,
          currentVersion: 2,
        },
        { environmentId: child, changes: expect.any(Array), version: null, currentVersion: 2 },
      ])
      expect(looked.body.undo).toBeNull()
      expect(looked.text).not.toContain('canary')
    })
    expect(await valuesOf(id, base)).toMatchObject({ version: 2, a: 'before' })
  })

  it('takes rules for a flag with its value, and refuses them where it takes the value away', async () => {
    const id = await app.addSchema('ruled', schema)
    await change(id, [{ environmentId: base, set: { on: true } }])
    const rules = { on: [{ when: [], serve: { percent: 5 } }] }
    const refused = await change(id, [{ environmentId: base, unset: ['on'], rules }])
    expect(refused.body.errors).toMatchObject([{ pointer: '/changes/0/rules/on' }])
    expect((await change(id, [{ environmentId: base, rules }])).status).toBe(200)
    const refusedElsewhere = await change(id, [{ environmentId: other, rules }])
    expect(refusedElsewhere.body.errors).toMatchObject([{ pointer: '/changes/0/rules/on' }])
  })

  it('stores nothing and has nothing to take back when nothing is different', async () => {
    const id = await app.addSchema('unchanged', schema)
    const changes = [{ environmentId: base, set: { a: 'x' } }]
    await change(id, changes)
    await expectNoEvent(app.test, async () => {
      const again = await change(id, changes)
      expect(again.body).toMatchObject({
        environments: [{ environmentId: base, changes: [], version: null }],
        undo: null,
      })
    })
  })

  it('is refused as a whole to a key that does not reach each environment', async () => {
    const id = await app.addSchema('placed', schema)
    app.setActor('narrow', buildKey(app.orgId, 'm2m', { environmentIds: [base] }))
    const body = { schemaId: id, changes: [{ environmentId: base }, { environmentId: other }] }
    const refused = await app.call('narrow', 'POST /config-changes', { body })
    expect(refused.body.code).toBe('key_scope_forbidden')
  })

  it('answers a repeat without values', async () => {
    const id = await app.addSchema('repeated', schema)
    const once = () =>
      app.ok('m2m', 'POST /config-changes', {
        body: { schemaId: id, changes: [{ environmentId: base, set: { a: 'canary-a' } }] },
        headers: { 'idempotency-key': 'once' },
      })
    const first = await once()
    expect(first.text).toContain('canary-a')
    const again = await once()
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.text).not.toContain('canary-a')
    expect(again.body.undo).toEqual(first.body.undo)
    expect(await valuesOf(id, base)).toMatchObject({ version: 2 })
  })
})

describe('a change set made on an older version', () => {
  it('is refused, with who saved what since, when the same cell is meant', async () => {
    const id = await app.addSchema('conflicting', schema)
    await app.ok('admin', 'POST /config-changes', {
      body: {
        schemaId: id,
        changes: [{ environmentId: base, set: { a: 'theirs' } }],
        comment: 'Mine first',
      },
    })
    const changes = [
      { environmentId: other, expectedVersion: 1, set: { a: 'fine' } },
      { environmentId: base, expectedVersion: 1, set: { a: 'mine', b: 'mine' } },
    ]
    const refused = await change(id, changes)
    expect(refused.body).toMatchObject({
      status: 412,
      code: 'revision_mismatch',
      conflicts: [
        {
          environmentId: base,
          environment: 'base',
          expectedVersion: 1,
          version: 2,
          saved: [{ version: 2, author: { name: 'admin' }, comment: 'Mine first', keys: ['a'] }],
          keys: ['a'],
          rebasable: false,
        },
      ],
    })
    expect(refused.body.detail).toContain('admin')
    expect(refused.text).not.toContain('theirs')
    expect(await valuesOf(id, other)).toEqual({ version: 1 })
    const looked = await change(id, changes, { dryRun: true })
    expect(looked.body.conflicts).toEqual(refused.body.conflicts)
  })

  it('can be repeated with the present version when other keys were saved', async () => {
    const id = await app.addSchema('rebasable', schema)
    await change(id, [{ environmentId: base, set: { b: 'theirs' } }])
    const refused = await change(id, [
      { environmentId: base, expectedVersion: 1, set: { a: 'mine' } },
    ])
    expect(refused.body.conflicts).toMatchObject([{ version: 2, keys: [], rebasable: true }])
    const expectedVersion: number = refused.body.conflicts[0].version
    const repeated = await change(id, [
      { environmentId: base, expectedVersion, set: { a: 'mine' } },
    ])
    expect(repeated.status).toBe(200)
    expect(await valuesOf(id, base)).toMatchObject({ a: 'mine', b: 'theirs' })
  })

  it('cannot be repeated when the versions saved in between are no longer kept', async () => {
    const id = await app.addSchema('forgotten', schema)
    await change(id, [{ environmentId: base, set: { b: 'theirs' } }])
    await change(id, [{ environmentId: base, set: { b: 'again' } }])
    await app.test.asOwner('delete from config_versions where schema_id = $1 and version = 2', [id])
    const refused = await change(id, [
      { environmentId: base, expectedVersion: 1, set: { a: 'mine' } },
    ])
    expect(refused.body.conflicts).toMatchObject([{ keys: [], rebasable: false }])
    const future = await change(id, [
      { environmentId: base, expectedVersion: 9, set: { a: 'mine' } },
    ])
    expect(future.body.conflicts).toMatchObject([{ saved: [], rebasable: false }])
  })

  it('loses to exactly one of many who save the same cell at once', async () => {
    const id = await app.addSchema('raced', schema)
    const writers = Array.from({ length: 10 }, (_, index) => `w${index}`)
    const answers = await Promise.all(
      writers.map((value, index) => {
        // Half of them in the other order: no two wait for each other.
        const changes = [base, other].map((environmentId) => {
          return { environmentId, expectedVersion: 1, set: { a: value } }
        })
        return change(id, index % 2 === 0 ? changes : changes.toReversed())
      }),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(writers.length - 1)
    const [first, second] = [await valuesOf(id, base), await valuesOf(id, other)]
    expect(first).toEqual(second)
    expect(first.version).toBe(2)
  })
})

describe('taking a change set back', () => {
  const undoOf = ({ body }: Answer) => body.undo.restores

  it('restores every environment as it was, as new versions, and can be taken back itself', async () => {
    const id = await app.addSchema('undone', schema)
    await change(id, [{ environmentId: base, set: { a: 'old', token: 'canary-1', on: true } }])
    const done = await change(id, [
      {
        environmentId: base,
        set: { a: 'new', token: 'canary-2' },
        rules: { on: [{ when: [], serve: false }] },
        unset: [],
      },
      { environmentId: other, set: { a: 'new' } },
    ])
    const undone = await restore(undoOf(done))
    expect(undone.status).toBe(200)
    expect(undone.text).not.toContain('canary')
    expect(undone.body.environments).toMatchObject([
      {
        environmentId: base,
        version: {
          version: 4,
          kind: 'restore',
          comment: 'Restored version 2 of base, version 1 of other',
        },
      },
      {
        environmentId: other,
        version: { version: 3, kind: 'restore' },
        changes: [{ change: 'removed' }],
      },
      { environmentId: child, version: { kind: 'inherited' } },
    ])
    expect(await valuesOf(id, base)).toMatchObject({ a: 'old', token: 'canary-1', on: true })
    expect(await valuesOf(id, other)).toEqual({ version: 3 })
    const matrix = await app.ok('viewer', `GET /config-matrix?schemaId=${id}`)
    expect(matrix.text).not.toContain('rules')
    const events = (await auditOf(id)).slice(-2)
    expect(events).toMatchObject([
      { action: 'value.rolled_back', detail: { environmentId: base, restored: 2 } },
      { action: 'value.rolled_back', detail: { environmentId: other, restored: 1 } },
    ])
    expect((await restore(undoOf(undone))).status).toBe(200)
    expect(await valuesOf(id, base)).toMatchObject({ a: 'new', token: 'canary-2' })
  })

  it('is refused as a whole once somebody else has saved, so that nothing of theirs is lost', async () => {
    const id = await app.addSchema('overtaken', schema)
    const done = await change(id, [
      { environmentId: base, set: { a: 'x' } },
      { environmentId: other, set: { a: 'x' } },
    ])
    await change(id, [{ environmentId: other, set: { b: 'theirs' } }])
    const refused = await restore(undoOf(done))
    expect(refused.body).toMatchObject({
      status: 412,
      conflicts: [{ environmentId: other, keys: ['b'], rebasable: false }],
    })
    expect(await valuesOf(id, base)).toMatchObject({ a: 'x', version: 2 })
  })

  it('restores versions of one schema only, each of another environment, that the caller reaches', async () => {
    const [one, two] = [await app.addSchema('one', schema), await app.addSchema('two', schema)]
    const idOf = async (schemaId: string, environmentId: string): Promise<string> => {
      const path = `GET /config-versions?schemaId=${schemaId}&environmentId=${environmentId}`
      return (await app.ok('viewer', path)).body.items[0].id
    }
    const versionId = await idOf(one, base)
    for (const second of [versionId, await idOf(two, other)]) {
      const refused = await restore([{ versionId }, { versionId: second }])
      expect(refused.body).toMatchObject({
        code: 'conflict',
        errors: [{ pointer: '/restores/1/versionId' }],
      })
    }
    const absent = 'ver_01jd2m4x9k0000000000000001'
    expect((await restore([{ versionId }, { versionId: absent }])).status).toBe(422)
    app.setActor('narrower', buildKey(app.orgId, 'm2m', { environmentIds: [base] }))
    const both = [{ versionId }, { versionId: await idOf(one, other) }]
    expect((await restore(both, {}, 'narrower')).body.code).toBe('key_scope_forbidden')
    expect((await restore(both, { dryRun: true })).body).toMatchObject({
      environments: [{ version: null }, { version: null }],
      undo: null,
    })
  })
})
