import type { SchemaDefinition } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let app: ConfigApp
let [base, production] = ['', '']
let schemaId: string
let segment: string
let run = 0

const keys: SchemaDefinition = {
  checkout: { type: 'boolean' },
  dark: { type: 'boolean', default: false },
  layout: {
    type: 'boolean',
    default: false,
    variants: [
      { name: 'old', on: false },
      { name: 'new', on: true },
    ],
  },
  seats: { type: 'number', tier: 'public', targeted: true, default: 5 },
  apiUrl: { type: 'string', tier: 'public' },
  stripeKey: { type: 'string', tier: 'secret' },
}
const forPro = (serve: unknown) => [
  { when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }], serve },
]

beforeAll(async () => {
  app = await openConfigApp()
  base = await app.addEnvironment('base')
  production = await app.addEnvironment('production', base)
})
afterAll(() => app.close())

beforeEach(async () => {
  run += 1
  segment = `staff${run}`
  const member = { attribute: 'email', operator: 'equals', value: 'ada@acme.test' }
  await app.ok('developer', 'POST /segments', {
    body: { name: segment, anyOf: [{ when: [member] }] },
  })
  schemaId = await app.addSchema(`web${run}`, keys)
})

const set = (values: object, rules?: object, environmentId = production) =>
  app.ok('developer', 'PUT /config-values', {
    body: { schemaId, environmentId, values, ...(rules && { rules }) },
  })
const declare = (schema: SchemaDefinition) =>
  app.ok('admin', `PUT /config-schemas/${schemaId}`, { body: { schema } })

async function versionsIn(environmentId = production) {
  const [row] = await app.test.asOwner<{ flag_versions: Record<string, number> }>(
    `select flag_versions from browser_snapshots where schema_id = $1 and environment_id = $2
     order by version desc limit 1`,
    [schemaId, environmentId],
  )
  return row?.flag_versions
}
const history = async () =>
  (await app.ok('viewer', `GET /config-versions?schemaId=${schemaId}&environmentId=${production}`))
    .body.items as { id: string; version: number }[]

describe('the version of a flag', () => {
  it('is the one of the environment in which the flag last changed, and of flags and targeted keys alone', async () => {
    expect(await versionsIn()).toEqual({ checkout: 1, dark: 1, layout: 1, seats: 1 })
    await set({ checkout: true })
    expect(await versionsIn()).toEqual({ checkout: 2, dark: 1, layout: 1, seats: 1 })
    // Counted in the history, and nothing of it is a flag.
    await set({ stripeKey: 'sk_1', apiUrl: 'https://api.example.com' })
    await set({ dark: false, seats: 5 }, { seats: forPro({ value: 50 }) })
    expect(await versionsIn()).toEqual({ checkout: 2, dark: 4, layout: 1, seats: 4 })
    expect((await history()).map(({ version }) => version)).toEqual([4, 3, 2, 1])
  })

  it('changes with its rules, with a segment that they name, and with what it inherits', async () => {
    const member = { operator: 'segment', segment }
    await set(
      { checkout: false, dark: false },
      { checkout: [{ when: [member], serve: true }] },
      base,
    )
    expect(await versionsIn()).toEqual({ checkout: 2, dark: 2, layout: 1, seats: 1 })
    const pro = { attribute: 'plan', operator: 'equals', value: 'pro' }
    await app.ok('developer', `PUT /segments/${segment}`, { body: { anyOf: [{ when: [pro] }] } })
    for (const environmentId of [base, production]) {
      expect(await versionsIn(environmentId)).toEqual({ checkout: 3, dark: 2, layout: 1, seats: 1 })
    }
  })

  it('changes when it is restored, and not for flags that the restore leaves alone', async () => {
    await set({ checkout: false })
    await set({ checkout: true })
    await set({ dark: true })
    const old = (await history()).find(({ version }) => version === 2)
    const body = { restores: [{ versionId: old?.id, keys: ['checkout', 'layout'] }] }
    await app.ok('developer', 'POST /config-versions/restore', { body })
    expect(await versionsIn()).toEqual({ checkout: 5, dark: 4, layout: 1, seats: 1 })
  })

  it('changes with its variants and its default, and not with its description', async () => {
    await declare({ ...keys, checkout: { type: 'boolean', description: 'The new one' } })
    expect(await versionsIn()).toEqual({ checkout: 1, dark: 1, layout: 1, seats: 1 })
    const variants = [
      { name: 'old', on: false },
      { name: 'wide', on: true },
    ]
    await declare({
      ...keys,
      layout: { type: 'boolean', default: false, variants },
      seats: { type: 'number', tier: 'public', targeted: true, default: 7 },
    })
    expect(await versionsIn()).toEqual({ checkout: 1, dark: 1, layout: 2, seats: 2 })
  })

  it('begins with the version that adds the flag, and ends with the flag', async () => {
    const { dark: _, ...fewer } = keys
    await declare(fewer)
    expect(await versionsIn()).toEqual({ checkout: 1, layout: 1, seats: 1 })
    await set({ checkout: true })
    await declare(keys)
    expect(await versionsIn()).toEqual({ checkout: 3, dark: 4, layout: 1, seats: 1 })
  })

  it('is that of the environment where an older release has published the snapshot before', async () => {
    await set({ checkout: false })
    await set({ stripeKey: 'sk_1' })
    await app.test.asOwner(
      `update browser_snapshots set flag_versions = '{}' where schema_id = $1`,
      [schemaId],
    )
    await set({ dark: true })
    expect(await versionsIn()).toEqual({ checkout: 3, dark: 4, layout: 3, seats: 3 })
    await set({ dark: false })
    expect(await versionsIn()).toEqual({ checkout: 3, dark: 5, layout: 3, seats: 3 })
  })
})
