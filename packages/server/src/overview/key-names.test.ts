import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyNames, type KeyNames } from './key-names.ts'
import { openOverviewApp, type OverviewApp } from './testing/open-overview-app.ts'

let app: OverviewApp
let reads: string[]
const key = { type: 'string', tier: 'public', default: '' } as const

beforeAll(async () => {
  app = await openOverviewApp()
})
afterAll(() => app.close())

/** Returns the keys that match, and collects the statements that it took in `reads`. */
async function find(names: KeyNames, text: string): Promise<string[]> {
  reads = []
  const { store } = app.test
  const found = await store.transaction({ orgId: app.orgId }, (tx) => {
    const counted: typeof tx = {
      ...tx,
      query(statement) {
        reads.push(statement.name)
        return tx.query(statement)
      },
    }
    return names.find(counted, app.orgId, text)
  })
  return found.map(({ schema, key: name }) => `${schema} ${name}`)
}

const revisions = 'search-schema-revisions'
const definitions = 'search-key-names'

describe('the names of keys', () => {
  it('are read once, and again when their schema has changed', async () => {
    const names = createKeyNames()
    const id = await app.addSchema('shop', { stripeKey: key })
    expect(await find(names, 'stripe')).toEqual(['shop stripeKey'])
    expect(reads).toEqual([revisions, definitions])
    expect(await find(names, 'KEY')).toEqual(['shop stripeKey'])
    expect(reads).toEqual([revisions])
    await app.ok('developer', `PUT /config-schemas/${id}`, {
      body: { schema: { stripeKey: key, stripeUrl: key } },
    })
    expect(await find(names, 'stripe')).toEqual(['shop stripeKey', 'shop stripeUrl'])
    expect(reads).toEqual([revisions, definitions])
  })

  it('come with those first that begin so, then the shorter, at most eight', async () => {
    const keys = ['xa', 'axx', 'ax', 'abx', ...Array.from({ length: 9 }, (_, n) => `longer_x${n}`)]
    const schema = Object.fromEntries(keys.map((name) => [name, key]))
    await app.addSchema('letters', schema)
    const found = await find(createKeyNames(), 'x')
    expect(found.slice(0, 5)).toEqual([
      'letters xa',
      'letters ax',
      'letters axx',
      'letters abx',
      'letters longer_x0',
    ])
    expect(found).toHaveLength(8)
  })

  it('come before keys that are found by their owner or a tag, which say so', async () => {
    const names = createKeyNames()
    const flag = { type: 'boolean', tier: 'featureFlags', default: false } as const
    await app.addSchema('noted', {
      oldPricing: { ...flag, owner: 'Growth team', tags: ['zebra'] },
      zebraCrossing: { ...flag, owner: 'Zebra crew' },
    })
    expect(await find(names, 'ZEBRA')).toEqual(['noted zebraCrossing', 'noted oldPricing'])
    const { store } = app.test
    const found = await store.transaction({ orgId: app.orgId }, async (tx) => [
      ...(await names.find(tx, app.orgId, 'zebra')),
      ...(await names.find(tx, app.orgId, 'growth')),
    ])
    expect(found.map(({ note }) => note)).toEqual([undefined, 'tag zebra', 'owner Growth team'])
  })

  it('are found all the same where there is room for few of them', async () => {
    const names = createKeyNames(1)
    await app.addSchema('one', { needleOne: key })
    await app.addSchema('two', { needleTwo: key })
    expect(await find(names, 'needle')).toEqual(['one needleOne', 'two needleTwo'])
    expect(await find(names, 'needle')).toEqual(['one needleOne', 'two needleTwo'])
    expect(reads).toEqual([revisions, definitions])
  })

  it('take as much room as their different notes do', async () => {
    const names = createKeyNames(100)
    const tagged = (tagOf: (nth: number, tag: number) => string) =>
      Object.fromEntries(
        Array.from({ length: 10 }, (_key, nth) => {
          const tags = Array.from({ length: 10 }, (_tag, at) => tagOf(nth, at))
          return [`tagged${nth}`, { ...key, tags }]
        }),
      )
    await app.addSchema(
      'alike',
      tagged((_nth, at) => `team ${at}`),
    )
    await find(names, 'team 9')
    expect(await find(names, 'team 9')).toHaveLength(8)
    expect(reads).toEqual([revisions])
    await app.addSchema(
      'apart',
      tagged((nth, at) => `crew ${nth} ${at}`),
    )
    await find(names, 'crew 9 9')
    expect(await find(names, 'crew 9 9')).toEqual(['apart tagged9'])
    expect(reads).toEqual([revisions, definitions])
  })

  it('are forgotten with their schema', async () => {
    const names = createKeyNames()
    const id = await app.addSchema('gone', { soonGone: key })
    expect(await find(names, 'soon')).toEqual(['gone soonGone'])
    await app.ok('admin', `DELETE /config-schemas/${id}`)
    expect(await find(names, 'soon')).toEqual([])
  })
})
