import type { SchemaDefinition } from '@signalbox/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from './testing/open-config-app.ts'

let app: ConfigApp
let staging: string
let production: string

beforeAll(async () => {
  app = await openConfigApp()
  staging = await app.addEnvironment('staging')
  production = await app.addEnvironment('production')
})
afterAll(() => app.close())

const once = (key: string, body: object = {}) => ({ body, headers: { 'idempotency-key': key } })
const schemaOf = (tier: 'public' | 'secret'): SchemaDefinition => ({
  pin: { type: 'string', tier, default: 'canary-default' },
})
const answersKept = async () =>
  JSON.stringify(await app.test.asOwner('select body from idempotency_keys'))

describe('the answer that is kept for a repeat', () => {
  it.each<[request: string, body: object]>([
    ['POST /environments', { name: 'once' }],
    [
      'POST /segments',
      {
        name: 'once',
        anyOf: [{ when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }] }],
      },
    ],
  ])('is that of the first time, and nothing is created again: %s', async (request, body) => {
    const create = () => app.ok('admin', request, once(request.replace(' ', ''), body))
    const first = await create()
    const again = await create()
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body])
  })

  it('names what changed and holds no value, which may become a secret later', async () => {
    const create = () =>
      app.ok(
        'm2m',
        'POST /config-schemas',
        once('create', { name: 'api', schema: schemaOf('public') }),
      )
    const { body: schema, text } = await create()
    expect(text).toContain('canary-default')
    const schemaId: string = schema.id
    const set = (pin: string) =>
      app.ok('m2m', 'PUT /config-values', {
        body: { schemaId, environmentId: staging, values: { pin } },
      })
    await set('canary-first')
    await set('canary-second')
    const promotion = { schemaId, fromEnvironmentId: staging, toEnvironmentId: production }
    const promote = () => app.ok('m2m', 'POST /config-values/promote', once('promote', promotion))
    expect((await promote()).text).toContain('canary-second')
    const versions = `GET /config-versions?schemaId=${schemaId}&environmentId=${staging}`
    const [second, first] = (await app.ok('m2m', versions)).body.items
    const restore = () =>
      app.ok('m2m', `POST /config-versions/${first.id}/restore`, once('restore'))
    expect((await restore()).text).toContain('canary-first')
    const restores = [{ versionId: second.id }]
    const restoreSeveral = () =>
      app.ok('m2m', 'POST /config-versions/restore', once('restore-several', { restores }))
    expect((await restoreSeveral()).text).toContain('canary-second')

    expect(await answersKept()).not.toContain('canary')
    const changed = [{ key: 'pin', tier: 'public' }]
    for (const repeat of [
      await create(),
      await promote(),
      await restore(),
      await restoreSeveral(),
    ]) {
      expect(repeat.headers.get('idempotency-replayed')).toBe('true')
      expect(repeat.text).not.toContain('canary')
    }
    expect((await create()).body).toMatchObject({
      id: schemaId,
      schema: { pin: { tier: 'public' } },
    })
    expect((await promote()).body.changes).toMatchObject(changed)
    expect((await restore()).body.changes).toMatchObject(changed)
  })
})
