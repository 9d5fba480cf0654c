import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConfigApp } from './testing/open-config-app.ts'
import { isPure, traceConfigs, traceOf, type Crossing } from './testing/trace-calls.ts'

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

/**
 * Counts how often each file is entered from which the write goes on into another one of the feature. The files left out
 * lead nowhere, or are pure: they hold a form or a rule that is read where it is used (docs/decisions/0052).
 */
function countEntries(below: readonly Crossing[]): Record<string, number> {
  const from = below.map((crossing) => crossing.from)
  const leading = new Set(from.filter((path) => path !== route && !isPure(path)))
  const entries = [...leading].map((path): [string, number] => [
    path,
    below.filter(({ to }) => to === path).length,
  ])
  return Object.fromEntries(entries)
}

describe('one write of a public value, a secret and a flag', () => {
  it('goes on from six files of the feature below its route, and enters none of them more than twice', () => {
    expect(countEntries(belowRoute(crossings))).toEqual({
      'values/set-values.ts': 1,
      'values/write-values.ts': 2,
      'values/current-rows.ts': 1,
      'constraints/check-values.ts': 2,
      'publication/plan-publication.ts': 1,
      'publication/publish-rows.ts': 2,
    })
  })

  it('is traced to the end of the transaction', () => {
    expect(belowRoute(crossings).at(-1)).toEqual({
      from: 'values/write-values.ts',
      to: 'config-deps.ts',
      called: 'recordConfigEvent',
    })
  })

  it('control: a file that waits for the database, or imports what makes ids, is none of the pure files', () => {
    expect(isPure('values/resolve-values.ts')).toBe(true)
    expect(isPure('values/current-rows.ts')).toBe(false)
    expect(isPure('publication/plan-publication.ts')).toBe(false)
  })

  it.each([
    ['a seventh file that goes on', 'constraints/check-work.ts', 'values/edit-values.ts'],
    ['a third entry', 'publication/plan-publication.ts', 'constraints/check-values.ts'],
  ])('control: is not like one with %s', (_what, from, to) => {
    const below = belowRoute(crossings)
    const longer = countEntries([...below, { from, to, called: 'anything' }])
    expect(longer).not.toEqual(countEntries(below))
    const files = Object.keys(longer).length
    expect(files > 6 || Math.max(...Object.values(longer)) > 2).toBe(true)
  })
})
