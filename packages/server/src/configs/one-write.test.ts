import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConfigApp } from './testing/open-config-app.ts'
import { traceConfigs, traceOf, type Crossing } from './testing/trace-calls.ts'

let app: ConfigApp
let crossings: readonly Crossing[]
beforeAll(async () => {
  traceConfigs()
  const { openConfigApp } = await import('./testing/open-config-app.ts')
  app = await openConfigApp()
  const environmentId = await app.addEnvironment('production')
  const schemaId = await app.addSchema('web', {
    title: { type: 'string', tier: 'public' },
    stripeKey: { type: 'string' },
    checkout: { type: 'boolean', tier: 'featureFlags' },
  })
  const put = (values: object) =>
    app.ok('developer', 'PUT /config-values', { body: { schemaId, environmentId, values } })
  await put({ title: 'One', stripeKey: 'sk_1', checkout: false })
  crossings = await traceOf(() => put({ title: 'Two', stripeKey: 'sk_2', checkout: true }))
})
afterAll(() => app.close())

const route = 'values/value-routes.ts'
const useCase = 'values/set-values.ts'

/** Returns the calls below the route: from the use case until the route goes on. */
function belowRoute(all: readonly Crossing[]): readonly Crossing[] {
  const begin = all.findIndex(({ to }) => to === useCase)
  const end = all.findIndex(({ from }, index) => index > begin && from === route)
  return all.slice(begin, end)
}

/** Counts how often each file is entered. */
function countEntries(below: readonly Crossing[]): Record<string, number> {
  const paths = new Set(below.map(({ to }) => to))
  return Object.fromEntries(
    [...paths].map((path) => [path, below.filter(({ to }) => to === path).length]),
  )
}

describe('one write of a public value, a secret and a flag', () => {
  it('enters six files of the feature below its route, and none of them more than twice', () => {
    expect(countEntries(belowRoute(crossings))).toEqual({
      'values/set-values.ts': 1,
      'config-deps.ts': 2,
      'values/write-values.ts': 2,
      'values/current-rows.ts': 1,
      'segments/read-known-segments.ts': 2,
      'publication/publish-rows.ts': 1,
    })
  })

  it('is traced to the end of the transaction', () => {
    expect(belowRoute(crossings).at(-1)).toEqual({
      from: 'values/write-values.ts',
      to: 'config-deps.ts',
      called: 'recordConfigEvent',
    })
  })

  it.each([
    ['a seventh file', 'values/write-values.ts', 'segments/segment-rows.ts'],
    ['a third entry', 'values/set-values.ts', 'values/write-values.ts'],
  ])('control: is not like one with %s', (_what, from, to) => {
    const below = belowRoute(crossings)
    const longer = countEntries([...below, { from, to, called: 'anything' }])
    expect(longer).not.toEqual(countEntries(below))
    const files = Object.keys(longer).length
    expect(files > 6 || Math.max(...Object.values(longer)) > 2).toBe(true)
  })
})
