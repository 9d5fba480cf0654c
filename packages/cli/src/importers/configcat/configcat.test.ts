import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import type { ReadOptions } from '../importer.ts'
import { compareWithSdk } from '../testing/compare-with-sdk.ts'
import { sampleWildContexts, type WildContext } from '../testing/wild-contexts.ts'
import { configcat } from './configcat.ts'

const options: ReadOptions = { environment: 'production', environments: new Map() }
const read = (document: unknown) => configcat.fromFile(JSON.stringify(document), options)

const on = { b: true }
const off = { b: false }
const value = fc.constantFrom(on, off)
const texts = fc.array(fc.constantFrom('pro', 'free', '5', 'true', '', 'p', '@acme.com'), {
  maxLength: 2,
})
const attribute = fc.constantFrom('plan', 'Identifier', 'Email')
const user = fc.oneof(
  fc.record({ a: attribute, c: fc.constantFrom(0, 1, 2, 3, 30, 31, 32, 33), l: texts }),
  fc.record({
    a: attribute,
    c: fc.constantFrom(28, 29),
    s: fc.constantFrom('pro', '5', '', 'user-3'),
  }),
  fc.record({
    a: fc.constant('version'),
    c: fc.constantFrom(4, 5),
    l: fc.array(fc.constantFrom('1.2.3', '2.0.0-rc.1', '', 'x'), { maxLength: 2 }),
  }),
  fc.record({
    a: fc.constant('version'),
    c: fc.integer({ min: 6, max: 9 }),
    s: fc.constantFrom('v1.2.3', ' 2.0.0', 'x', '1.2'),
  }),
  fc.record({
    a: fc.constant('age'),
    c: fc.constantFrom(10, 11, 12, 13, 14, 15, 18, 19),
    d: fc.integer({ min: 0, max: 4 }),
  }),
)
const condition = fc.oneof(
  { weight: 4, arbitrary: fc.record({ u: user }) },
  {
    weight: 2,
    arbitrary: fc.record({ s: fc.record({ s: fc.constantFrom(0, 1), c: fc.constantFrom(0, 1) }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      p: fc.record({ f: fc.constant('parent'), c: fc.constantFrom(0, 1), v: value }),
    }),
  },
)
type Served = Readonly<Record<string, string | number | boolean>>
const settingOf = (t: number, yes: Served, no: Served) => {
  const served = fc.constantFrom(yes, no)
  const shares = fc.tuple(fc.integer({ min: 0, max: 100 }), served).map(([percent, first]) => [
    { p: percent, v: first },
    { p: 100 - percent, v: first === yes ? no : yes },
  ])
  const conditions = fc.array(condition, { minLength: 1, maxLength: 2 })
  const rule = fc.oneof(
    fc.record({ c: conditions, s: fc.record({ v: served }) }),
    fc.record({ c: conditions, p: shares }),
  )
  return fc.record({
    t: fc.constant(t),
    v: served,
    a: fc.constantFrom(undefined, 'account', 'Identifier'),
    r: fc.array(rule, { maxLength: 3 }),
    p: fc.option(shares, { nil: [] }),
  })
}
const setting = fc.oneof(
  settingOf(0, on, off),
  settingOf(1, { s: 'red' }, { s: 'blue' }),
  settingOf(3, { d: 1.5 }, { d: 2 }),
)
const segments = fc.array(
  fc.record({ n: fc.constant('segment'), r: fc.array(user, { minLength: 1, maxLength: 2 }) }),
  { minLength: 2, maxLength: 2 },
)
const tameContexts: WildContext[] = Array.from({ length: 40 }, (_, index) => ({
  ...(index !== 0 && { targetingKey: `user-${index}` }),
  ...(index % 3 === 1 && { plan: ['pro', 'free', 5, 'true', '', 'profit'][index % 6] ?? '' }),
  ...(index % 5 !== 1 && index !== 0 && { age: index % 5 }),
  ...(index % 4 === 1 && { version: ['1.2.3', '2.0.0', 'x', '2.0.0-rc.1'][index % 3] ?? '' }),
  ...(index % 2 === 1 && { Email: index % 4 === 1 ? 'ada@acme.com' : 'pro@other.com' }),
  ...(index % 6 !== 5 && index !== 0 && { account: `account-${index}` }),
}))
/** These issues are about other forms than the contexts have, and about a parent that does not change. */
const harmless = new Set(['CC-T006', 'CC-T007', 'CC-T009', 'CC-T014'])

/** Without a key there is no user, whatever else is known. */
const wildContexts = sampleWildContexts(['plan', 'age', 'version', 'Email', 'account'], {
  count: 200,
}).map((context): WildContext => (context.targetingKey === undefined ? {} : context))

describe('flags of ConfigCat', () => {
  it.each([
    { with: 'attributes of one type each', of: tameContexts, but: harmless, atLeast: 3000 },
    { with: 'attributes of every type', of: wildContexts, but: new Set<string>(), atLeast: 5000 },
  ])('that are said to be exact decide as its SDK does, $with', async ({ of, but, atLeast }) => {
    const samples = fc.sample(fc.tuple(setting, segments), {
      numRuns: 150 * inject('scale'),
      seed: 17,
    })
    const parent = { t: 0, v: on }
    const exports = samples.map(([content, s], index) => ({
      p: { u: 'http://127.0.0.1:9', r: 0, s: 'salt' },
      s,
      f: { parent, [`flag-${index}`]: content },
    }))
    const {
      decisions,
      shares: withShares,
      differ,
    } = await compareWithSdk('configcat', exports, of, but)
    expect(differ.slice(0, 1)).toEqual([])
    expect(decisions).toBeGreaterThan(atLeast)
    expect(withShares).toBeGreaterThan(20)
  })

  it('with other values become public keys, whose rules serve them where there are several', () => {
    const { keys, leftOut } = read({
      f: {
        banner: { t: 1, v: { s: 'blue' } },
        limit: { t: 2, v: { i: 5 } },
        split: { t: 1, v: { s: 'blue' }, p: [{ p: 100, v: { s: 'red' } }] },
        odd: { t: 1, v: { s: 'blue' }, p: [{ p: 100, v: { i: 5 } }] },
      },
    })
    expect(keys).toMatchObject([
      { key: 'banner', tier: 'public', type: 'string', values: [{ value: 'blue' }] },
      { key: 'limit', tier: 'public', type: 'number', values: [{ value: 5 }] },
      {
        key: 'split',
        targeted: true,
        values: [{ value: 'blue', rules: [{ serve: { value: 'red' } }] }],
      },
    ])
    expect(leftOut).toMatchObject([{ from: 'odd', issues: [{ code: 'CC-T020' }] }])
  })

  it.each([
    ['confidential values', { u: { a: 'Email', c: 16, l: ['abc'] } }, 'CC-T011'],
    ['a list', { u: { a: 'Roles', c: 34, l: ['admin'] } }, 'CC-T010'],
    ['a parent that varies', { p: { f: 'varies', c: 0, v: on } }, 'CC-T013'],
    ['a parent of another type', { p: { f: 'text', c: 0, v: on } }, 'CC-T013'],
  ])('are left out with %s, and say so', (_, by, code) => {
    const varies = { t: 0, v: off, p: [{ p: 100, v: on }] }
    const text = { t: 1, v: { s: 'blue' } }
    const { leftOut } = read({
      f: { checkout: { t: 0, v: off, r: [{ c: [by], s: { v: on } }] }, varies, text },
    })
    expect(leftOut).toMatchObject([{ from: 'checkout', issues: [{ code, severity: 'high' }] }])
  })

  it('that decide otherwise for some contexts say for which', () => {
    const rules = [
      { a: 'age', c: 12, d: 5 },
      { a: 'version', c: 9, s: '2.1.0' },
      { a: 'name', c: 2, l: ['1'] },
      { a: 'since', c: 18, d: 1_700_000_000 },
    ].map((u) => ({ c: [{ u }], s: { v: on } }))
    const { keys } = read({ f: { checkout: { t: 0, v: off, r: rules } } })
    expect(keys[0]?.issues.map(({ code }) => code)).toEqual([
      'CC-T006',
      'CC-T007',
      'CC-T008',
      'CC-T009',
    ])
  })

  it.each([
    ['{"f": {\n"a": }', /line 2/],
    ['[]', /no config JSON of ConfigCat/],
    ['{"f": {"a": 1}}', /f\.a is no object/],
    ['{"f": {"a": {"v": true}}}', /f\.a\.v is no object/],
    ['{"f": {"a": {"v": {"b": true}, "r": [{"c": 3}]}}}', /f\.a\.r\[0\]\.c is no list/],
    [
      '{"f": {"a": {"v": {"b": true}, "r": [{"c": [{"s": {"s": 4, "c": 0}}]}]}}}',
      /s\[4\] is no object/,
    ],
  ])('that cannot be read say where: %s', (text, message) => {
    expect(() => configcat.fromFile(text, options)).toThrow(message)
  })
})
