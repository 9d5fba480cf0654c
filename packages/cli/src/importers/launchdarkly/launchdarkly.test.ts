import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import type { ReadOptions } from '../importer.ts'
import { compareWithSdk } from '../testing/compare-with-sdk.ts'
import { sampleWildContexts } from '../testing/wild-contexts.ts'
import { readLaunchDarkly } from './flag-model.ts'
import { launchdarkly } from './launchdarkly.ts'

const options: ReadOptions = { environment: 'production', environments: new Map() }
const read = (document: unknown, more: Partial<ReadOptions> = {}) =>
  launchdarkly.fromFile(JSON.stringify(document), { ...options, ...more })

const base = {
  version: 1,
  on: true,
  salt: 'abc',
  variations: [true, false],
  offVariation: 1,
  targets: [],
  rules: [],
  prerequisites: [],
  fallthrough: { variation: 1 },
}

const texts = ['a', 'b', 'pro', 'free', 'user-1', 'user-2', '5', 'true']
const attribute = fc.constantFrom('key', 'plan', 'age')
const clause = fc.oneof(
  fc.record({
    attribute,
    op: fc.constantFrom('in', 'startsWith', 'endsWith', 'contains'),
    values: fc.array(fc.constantFrom<unknown[]>(...texts, 5, true), { minLength: 1, maxLength: 3 }),
    negate: fc.boolean(),
  }),
  fc.record({
    attribute: fc.constant('age'),
    op: fc.constantFrom('lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual', 'in'),
    values: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 2 }),
    negate: fc.boolean(),
  }),
  fc.record({
    attribute: fc.constant('anonymous'),
    op: fc.constant('in'),
    values: fc.constantFrom([true], [false]),
    negate: fc.boolean(),
  }),
  fc.record({
    attribute: fc.constant(''),
    op: fc.constant('segmentMatch'),
    values: fc.constantFrom(['staff'], ['beta'], ['staff', 'beta'], ['nowhere']),
    negate: fc.boolean(),
  }),
)
const rollout = fc
  .record({
    weight: fc.integer({ min: 0, max: 100_000 }),
    by: fc.constantFrom('key', 'plan'),
    seed: fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
  })
  .map(({ weight, by, seed }) => ({
    rollout: {
      bucketBy: by,
      ...(seed !== undefined && { seed }),
      variations: [
        { variation: 0, weight },
        { variation: 1, weight: Math.floor((100_000 - weight) / 3) },
        { variation: 2, weight: Math.ceil(((100_000 - weight) / 3) * 2) },
      ],
    },
  }))
const serving = fc.oneof(fc.constantFrom({ variation: 0 }, { variation: 1 }), rollout)
const rule = fc
  .tuple(fc.array(clause, { minLength: 1, maxLength: 2 }), serving)
  .map(([clauses, serve]) => ({ clauses, ...serve }))
const flag = fc.record({
  variations: fc.constantFrom([true, false, true], ['blue', 'red', ''], [1, 2, 0.5]),
  on: fc.boolean(),
  salt: fc.constantFrom('abc', 'def'),
  targets: fc.constantFrom(
    [],
    [{ values: ['user-1'], variation: 0 }],
    [{ values: ['user-2'], variation: 1 }],
  ),
  rules: fc.array(rule, { maxLength: 2 }),
  fallthrough: serving,
})
const segments = {
  staff: {
    key: 'staff',
    version: 1,
    salt: 'seg',
    included: ['user-3'],
    excluded: ['user-4'],
    rules: [
      {
        clauses: [{ attribute: 'plan', op: 'in', values: ['pro'], negate: false }],
        weight: 50_000,
        bucketBy: 'age',
      },
      { clauses: [{ attribute: 'age', op: 'greaterThan', values: [3], negate: false }] },
    ],
  },
  beta: {
    key: 'beta',
    version: 1,
    salt: 'seg',
    included: [],
    excluded: ['user-2'],
    rules: [{ clauses: [{ attribute: 'plan', op: 'in', values: ['free'], negate: true }] }],
  },
}
const tameContexts = Array.from({ length: 12 }, (_, index) => ({
  targetingKey: `user-${index}`,
  ...(index % 3 !== 0 && { plan: index % 2 === 0 ? 'pro' : 'free' }),
  ...(index % 4 !== 0 && { age: index % 6 }),
}))

/** Its SDK refuses a context without a key. */
const sampleUsers = (hasLists: boolean) =>
  sampleWildContexts(['plan', 'age', 'anonymous'], { count: 300, hasLists }).filter(
    ({ targetingKey, anonymous = false }) =>
      targetingKey !== undefined && typeof anonymous === 'boolean',
  )
/** This issue is about lists alone. */
const harmless = new Set(['LD-T005'])

describe('flags of LaunchDarkly', () => {
  it.each([
    { with: 'attributes of one type each', of: tameContexts, but: harmless, atLeast: 1000 },
    { with: 'attributes of every type', of: sampleUsers(false), but: harmless, atLeast: 5000 },
    { with: 'lists too', of: sampleUsers(true), but: new Set<string>(), atLeast: 1000 },
  ])('that are said to be exact decide as its SDK does, $with', async ({ of, but, atLeast }) => {
    const samples = fc.sample(flag, { numRuns: 150 * inject('scale'), seed: 17 })
    const flags = Object.fromEntries(
      samples.map((parts, index) => [`flag-${index}`, { ...base, ...parts, key: `flag-${index}` }]),
    )
    const exports = [{ flags, segments }]
    // The SDK receives what the import has read, so a fault of reading would be on both sides.
    const { environments } = readLaunchDarkly(JSON.stringify(exports[0]), options)
    const received = [...(environments[0]?.flags ?? [])].map(([key, { content, variations }]) => [
      key,
      { ...content, variations },
    ])
    expect(Object.fromEntries(received)).toEqual(flags)
    expect(Object.fromEntries(environments[0]?.segments ?? [])).toEqual(segments)
    const { decisions, differ } = await compareWithSdk('launchdarkly', exports, of, but)
    expect(differ.slice(0, 1)).toEqual([])
    expect(decisions).toBeGreaterThan(atLeast)
  })

  it('come from a bare list, from a single flag, and from the values of a file too', () => {
    // The full answer of the REST API has a summary beside the targeting.
    const prod = { ...base, _summary: { variations: {}, prerequisites: 0 } }
    const flag = {
      key: 'checkout',
      variations: [{ value: true }, { value: false }],
      environments: { prod },
    }
    const checkout = { key: 'checkout', values: [{ environment: 'prod', value: false }] }
    expect(read([flag]).keys).toMatchObject([checkout])
    expect(read(flag).keys).toMatchObject([checkout])
    const file = { flags: { a: { ...base } }, flagValues: { b: true, text: 'blue', size: 20 } }
    expect(read(file).keys).toMatchObject([
      { key: 'a', tier: 'featureFlags', verdict: 'exact' },
      { key: 'b', tier: 'featureFlags', verdict: 'exact', values: [{ value: true }] },
      { key: 'text', tier: 'public', values: [{ value: 'blue' }] },
      { key: 'size', type: 'number', values: [{ value: 20 }] },
    ])
    expect(read({ flagValues: { b: true } }).keys).toHaveLength(1)
  })

  it('become keys with the value of each environment, from the list of the REST API', () => {
    const environment = (fallthrough: number, on = true) => ({
      ...base,
      on,
      fallthrough: { variation: fallthrough },
    })
    const { keys, leftOut } = read(
      {
        items: [
          {
            key: 'checkout',
            description: 'The new one',
            tags: ['pay'],
            variations: [{ value: true }, { value: false }],
            environments: { prod: environment(1), test: environment(0) },
          },
          {
            key: 'banner',
            variations: [{ value: 'blue' }, { value: 'red' }],
            environments: { prod: environment(0), test: environment(1) },
          },
          {
            key: 'split',
            variations: [{ value: 'blue' }, { value: 'red' }],
            environments: {
              prod: {
                ...base,
                fallthrough: {
                  rollout: {
                    variations: [
                      { variation: 0, weight: 50_000 },
                      { variation: 1, weight: 50_000 },
                    ],
                  },
                },
              },
            },
          },
          {
            key: 'shapes',
            variations: [{ value: { sides: 3 } }, { value: { sides: 4 } }],
            environments: { prod: { ...base, targets: [{ values: ['user-1'], variation: 0 }] } },
          },
          {
            key: 'mixed',
            variations: [{ value: { sides: 3 } }, { value: 'none' }],
            environments: { prod: { ...base, targets: [{ values: ['user-1'], variation: 0 }] } },
          },
          { key: 'old', archived: true, variations: [], environments: {} },
        ],
      },
      { environments: new Map([['prod', 'production']]) },
    )
    expect(keys).toMatchObject([
      {
        key: 'checkout',
        tier: 'featureFlags',
        verdict: 'exact',
        description: 'The new one',
        tags: ['pay'],
        values: [
          { environment: 'production', value: false },
          { environment: 'test', value: true },
        ],
      },
      {
        key: 'banner',
        tier: 'public',
        type: 'string',
        values: [{ value: 'blue' }, { value: 'red' }],
      },
      {
        key: 'split',
        tier: 'public',
        targeted: true,
        verdict: 'exact',
        issues: [{ code: 'LD-T024', severity: 'low' }],
        values: [{ value: 'red', rules: [{ serve: { value: 'blue' } }] }],
      },
      {
        key: 'shapes',
        type: 'json',
        targeted: true,
        verdict: 'exact',
        values: [{ value: { sides: 4 }, rules: [{ serve: { value: { sides: 3 } } }] }],
      },
    ])
    expect(leftOut).toMatchObject([
      { from: 'mixed', issues: [{ code: 'LD-T020', severity: 'high' }] },
      { from: 'old', issues: [{ code: 'LD-T001', severity: 'low' }] },
    ])
  })

  const inSegment = (name: string) => ({ attribute: '', op: 'segmentMatch', values: [name] })

  it('have the segments of their environment, from the list of the REST API', () => {
    const prod = { ...base, rules: [{ variation: 0, clauses: [inSegment('staff')] }] }
    const item = { key: 'checkout', variations: base.variations, environments: { prod } }
    const segments = { prod: { staff: { included: ['user-7'] } } }
    const { keys } = read({ items: [item], segments })
    expect(JSON.stringify(keys[0]?.values)).toContain('user-7')
  })

  it('are left out where a segment refers to itself, at once or by another', () => {
    const segments = {
      own: { key: 'own', rules: [{ clauses: [inSegment('own')] }] },
      one: { key: 'one', rules: [{ clauses: [inSegment('two')] }] },
      two: { key: 'two', rules: [{ clauses: [inSegment('one')] }] },
    }
    for (const name of Object.keys(segments)) {
      const flag = {
        ...base,
        key: 'checkout',
        rules: [{ variation: 0, clauses: [inSegment(name)] }],
      }
      const document = JSON.stringify({ flags: { checkout: flag }, segments })
      const { keys, leftOut } = launchdarkly.fromFile(document, {
        environment: 'production',
        environments: new Map(),
      })
      expect([keys, leftOut]).toMatchObject([[], [{ from: 'checkout', issues: [{}] }]])
    }
  })

  it.each([
    ['an off flag without an off variation', { on: false, offVariation: undefined }, 'LD-T002'],
    [
      'a date',
      { rules: [{ variation: 0, clauses: [{ attribute: 'at', op: 'before', values: [1] }] }] },
      'LD-T010',
    ],
    [
      'a kind of contexts',
      { rules: [{ variation: 0, clauses: [{ attribute: 'kind', op: 'in', values: ['user'] }] }] },
      'LD-T010',
    ],
    ['a prerequisite that varies', { prerequisites: [{ key: 'other', variation: 0 }] }, 'LD-T013'],
    [
      'an experiment',
      { fallthrough: { rollout: { kind: 'experiment', variations: [] } } },
      'LD-T015',
    ],
    [
      'more conditions than a flag has rules',
      {
        rules: [
          {
            variation: 0,
            clauses: [
              {
                attribute: 'a',
                op: 'contains',
                values: Array.from({ length: 51 }, (_, index) => `v${index}`),
              },
            ],
          },
        ],
      },
      'LD-T016',
    ],
  ])('are left out with %s, and say so', (_, parts, code) => {
    const other = {
      ...base,
      key: 'other',
      fallthrough: { rollout: { variations: [{ variation: 0, weight: 1 }] } },
    }
    const flags = { checkout: { ...base, ...parts, key: 'checkout' }, other }
    const { leftOut } = read({ flags })
    expect(leftOut).toMatchObject([{ from: 'checkout', issues: [{ code, severity: 'high' }] }])
  })

  it.each([
    ['{"flags": {\n"a": }', /line 2/],
    ['[]', /no export of LaunchDarkly/],
    ['{"flags": {"a": 1}}', /flags\.a is no object/],
    [
      '{"flags": {"a": {"variations": [true], "on": true, "rules": 3}}}',
      /flags\.a\.rules is no list/,
    ],
    ['{"items": [{"key": ""}]}', /items\[0\]\.key is missing/],
    [
      '{"items":[{"key":"a","variations":[],"environments":{"prod":{"on":false,"_summary":{"variations":{}}}}}]}',
      /items\[0\]\.environments\.prod has a summary.*summary=0/,
    ],
    ['{"flags":{"a":{"variations":[true]}},"flagValues":{"a":true}}', /flagValues\.a is among/],
  ])('that cannot be read say where: %s', (text, message) => {
    expect(() => launchdarkly.fromFile(text, options)).toThrow(message)
  })
})

describe('LaunchDarkly with a token', () => {
  const page = (items: unknown[]) => ({ items, totalCount: items.length })
  const item = (
    names: readonly string[],
    variations: unknown[] = [{ value: true }, { value: false }],
  ) => ({
    key: 'checkout',
    variations,
    environments: Object.fromEntries(names.map((name) => [name, base])),
  })

  it('is asked for three environments at a time', async () => {
    const asked: string[] = []
    const ask = (url: string) => {
      const { pathname, searchParams } = new URL(url)
      asked.push(decodeURIComponent(searchParams.get('filter') ?? pathname))
      if (pathname.endsWith('/environments'))
        return Promise.resolve(page(['a', 'b', 'c', 'd'].map((key) => ({ key }))))
      if (pathname.includes('/segments/')) return Promise.resolve(page([]))
      return Promise.resolve(
        page([item((searchParams.get('filter') ?? '').replace('filterEnv:', '').split(','))]),
      )
    }
    const access = {
      env: { LAUNCHDARKLY_API_TOKEN: 'api-1' },
      project: 'shop',
      environments: [],
      ask,
    }
    const text = (await launchdarkly.fromToken?.(access)) ?? ''
    expect(asked.filter((one) => one.startsWith('filterEnv'))).toEqual([
      'filterEnv:a,b,c',
      'filterEnv:d',
    ])
    const [key] = launchdarkly.fromFile(text, { ...options, environment: undefined }).keys
    expect(key?.values.map(({ environment }) => environment)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('stops where a flag changes between two requests', async () => {
    let count = 0
    const ask = (url: string) => {
      if (url.includes('/segments/')) return Promise.resolve(page([]))
      count += 1
      return Promise.resolve(
        page([item([`e${count}`], count === 1 ? undefined : [{ value: 'other' }])]),
      )
    }
    const environments = ['a', 'b', 'c', 'd']
    const access = { env: { LAUNCHDARKLY_API_TOKEN: 'api-1' }, project: 'shop', environments, ask }
    await expect(launchdarkly.fromToken?.(access)).rejects.toThrow('LD-D002')
  })
})
