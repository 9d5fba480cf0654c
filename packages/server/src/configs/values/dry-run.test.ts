import { limits } from '@signalbox/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoEvent } from '../../audit/testing/expect-audit.ts'
import { openConfigApp, type Answer, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let full: string
let target: string
let schemaId: string

/** The environment `full` holds so many public values that a further one does not fit. */
const largest = 'x'.repeat(limits.valueBytes)
const count = Math.floor(limits.publicSnapshotBytes / (limits.valueBytes + 10))
const key = { type: 'string', tier: 'public' } as const
const names = Array.from({ length: count }, (_, index) => `k${index}`)
const schema = Object.fromEntries([...names, 'more'].map((name) => [name, key]))

beforeAll(async () => {
  app = await openConfigApp()
  full = await app.addEnvironment('full')
  target = await app.addEnvironment('target')
  schemaId = await app.addSchema('large', schema)
  for (const name of names) await set(full, { [name]: largest })
  for (const name of names.slice(1)) await set(target, { [name]: largest })
  await set(target, { more: largest })
})
afterAll(() => app.close())

const set = (environmentId: string, values: object) =>
  app.ok('m2m', 'PUT /config-values', { body: { schemaId, environmentId, values } })

/**
 * Calls with `dryRun` and without, and gives both rejections, which must differ in nothing but the request they answer.
 */
async function refusedAlike(request: string, body: object): Promise<Answer['body']> {
  let dry: Answer | undefined
  await expectNoEvent(app.test, async () => {
    dry = await app.call('developer', request, { body: { ...body, dryRun: true } })
  })
  const real = await app.call('developer', request, { body })
  expect({ ...dry?.body, instance: '' }).toEqual({ ...real.body, instance: '' })
  return real.body
}

describe('a dry run is refused exactly as what it tries', () => {
  it('of values that are too large together', async () => {
    const body = { schemaId, environmentId: full, values: { more: largest } }
    const rejection = await refusedAlike('PUT /config-values', body)
    expect(rejection).toMatchObject({ code: 'value_too_large' })
  })

  it('of a promotion that is too large', async () => {
    const body = { schemaId, fromEnvironmentId: full, toEnvironmentId: target }
    const rejection = await refusedAlike('POST /config-values/promote', body)
    expect(rejection).toMatchObject({ code: 'value_too_large' })
  })

  it('of a schema whose defaults are too large', async () => {
    const changed = { ...schema, more: { ...key, default: largest } }
    const rejection = await refusedAlike(`PUT /config-schemas/${schemaId}`, { schema: changed })
    expect(rejection).toMatchObject({ code: 'value_too_large' })
  })

  it('of a schema that leaves values without their key', async () => {
    const id = await app.addSchema('orphaning', { gone: key, kept: key })
    const body = { schemaId: id, environmentId: target, values: { gone: '1' } }
    await app.ok('m2m', 'PUT /config-values', { body })
    const request = `PUT /config-schemas/${id}`
    expect(await refusedAlike(request, { schema: { kept: key } })).toMatchObject({
      code: 'breaking_change',
      report: [{ environment: 'full' }, { environment: 'target', orphaned: ['gone'] }],
    })
  })

  it('of a schema whose new rule the values of another environment break, whichever the report is about', async () => {
    const id = await app.addSchema('narrowing', { a: key })
    const body = { schemaId: id, environmentId: target, values: { a: 'short' } }
    await app.ok('m2m', 'PUT /config-values', { body })
    const narrow = { schema: { a: { ...key, constraints: { minLength: 9 } } }, environmentId: full }
    expect(await refusedAlike(`PUT /config-schemas/${id}`, narrow)).toMatchObject({
      code: 'breaking_change',
    })
  })
})
