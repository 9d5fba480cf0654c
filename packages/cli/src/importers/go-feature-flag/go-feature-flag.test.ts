import type { EvaluationContext } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import type { ReadOptions } from '../importer.ts'
import { prepareImported } from '../testing/prepare-imported.ts'
import { goFeatureFlag } from './go-feature-flag.ts'

const now = new Date('2026-11-30T12:00:00Z')
const options: ReadOptions = { environment: 'production', environments: new Map(), now }
const read = (text: string, more: Partial<ReadOptions> = {}) =>
  goFeatureFlag.fromFile(text, { ...options, ...more })
const readFlag = (flag: object, key = 'checkout') => read(JSON.stringify({ [key]: flag }))
const variations = { on: true, off: false }
const defaultRule = { variation: 'off' }
/** These issues are about the case of texts, numbers in texts and the moment, which the contexts do not have. */
const harmless = new Set(['GO-T004', 'GO-T005', 'GO-T006', 'GO-T007', 'GO-T009', 'GO-T013'])

function holds(query: string, context: EvaluationContext) {
  const { keys } = readFlag({ variations, targeting: [{ query, variation: 'on' }], defaultRule })
  return prepareImported(keys[0], harmless)?.decide(context)
}

/** Has the users and the flag of the cases that GO Feature Flag publishes for its hash. */
const hashed = {
  key: 'flagname+',
  users: ['userkey', 'randomUserID', '96ac59e6-7492-436b-b15a-ba1d797d2423'],
}

describe('flags of GO Feature Flag', () => {
  it('come from YAML with their queries, names and descriptions', () => {
    const text = `
checkout:
  variations: { Default: false, False: false, True: true }
  targeting:
    - name: staff
      query: email ew "@1.test"
      variation: True
    - name: over
      query: plan eq "pro"
      variation: True
      disable: true
  defaultRule:
    name: rest
    variation: Default
  metadata:
    description: The new one
limits:
  variations: { small: 5, large: 50 }
  targeting:
    - query: seats ge 10
      variation: large
  defaultRule: { variation: small }
`
    const { keys, leftOut } = read(text)
    expect(leftOut).toEqual([])
    const [checkout, limits] = keys
    expect(checkout).toMatchObject({
      description: 'The new one',
      variants: [{ name: 'Default' }, { name: 'False' }, { name: 'True', on: true }],
      values: [{ rules: [{ description: 'staff', serve: { variant: 'True' } }, { serve: {} }] }],
    })
    expect(prepareImported(checkout, harmless)?.decide({ email: 'ada@1.test' })).toBe('True')
    expect(prepareImported(checkout, harmless)?.decide({ plan: 'pro' })).toBe('Default')
    expect(limits).toMatchObject({ tier: 'public', targeted: true, verdict: 'exact' })
    expect(prepareImported(limits)?.decide({ seats: 10 })).toBe(50)
    expect(prepareImported(limits)?.decide({})).toBe(5)
  })

  it('keep the users of their shares', () => {
    const shares = (percentage: object) =>
      readFlag({ variations: { B: 'b', C: 'c', D: 'd' }, defaultRule: { percentage } }, hashed.key)
        .keys[0]
    const decide = (key: ReturnType<typeof shares>) =>
      hashed.users.map((targetingKey) => prepareImported(key)?.decide({ targetingKey }))
    expect(decide(shares({ C: 9, B: 91 }))[0]).toBe('c')
    expect(decide(shares({ B: 20, C: 10, D: 70 })).slice(1)).toEqual(['c', 'b'])
    expect(shares({ B: 0, C: 100 })).toMatchObject({ verdict: 'exact', values: [{ value: 'c' }] })
  })

  it('are divided by the attribute that they name, and say when shares are no 100', () => {
    const rule = { percentage: { on: 25, off: 25 } }
    const { keys } = readFlag({ variations, bucketingKey: 'teamId', defaultRule: rule })
    expect(keys).toMatchObject([
      {
        verdict: 'differs',
        issues: [{ code: 'GO-T026' }],
        values: [{ rules: [{ when: [{ attribute: 'teamId', percent: 50 }] }] }],
      },
    ])
  })

  it.each<[string, EvaluationContext, EvaluationContext]>([
    ['key eq "5"', { targetingKey: '5' }, { targetingKey: '6' }],
    ['targetingKey ne "5"', {}, { targetingKey: '5' }],
    ['plan == "5"', { plan: '5' }, { plan: 5 }],
    ['plan ne "5"', { plan: '6' }, {}],
    ['plan co "-1-"', { plan: 'a-1-b' }, { plan: 'a' }],
    ['plan sw "1"', { plan: '12' }, { plan: '21' }],
    ['plan in ["a", "b"]', { plan: 'b' }, { plan: 'c' }],
    ['plan pr', { plan: 0 }, {}],
    ['plan eq null', {}, { plan: 'x' }],
    ['plan ne null', { plan: 'x' }, {}],
    ['anonymous ne true', {}, { anonymous: true }],
    ['anonymous eq false', { anonymous: false }, { anonymous: true }],
    ['beta eq false', { beta: false }, {}],
    ['beta ne false', { beta: true }, {}],
    ['age gt 18', { age: 19 }, { age: 18.9 }],
    ['age ge 18', { age: 18 }, { age: 17.9 }],
    ['age lt 18', { age: 17.9 }, { age: 18 }],
    ['age le 18', { age: 18.9 }, { age: 19 }],
    ['age eq 0', { age: -0.5 }, { age: -1 }],
    ['age ne 3', { age: 4 }, { age: 3.5 }],
    ['age ne 3', { age: -3 }, {}],
    ['age < -1', { age: -2 }, { age: -1.5 }],
    ['age in [1, 2]', { age: 2 }, { age: 2.5 }],
    ['rate gt 0.5', { rate: 0.6 }, { rate: 0.5 }],
    ['rate in [1.0,2.5]', { rate: 2.5 }, { rate: 1 }],
    ['version ge 1.2.3', { version: '1.10.0' }, { version: '1.2' }],
    ['version ne 1.2.3', { version: '1.2.4' }, { version: 'x' }],
    ['not (age gt 18)', {}, { age: 20 }],
    ['NOT (age gt 18) and plan pr', { plan: 'x' }, { plan: 'x', age: 20 }],
    // The left one is decided first, whichever it is.
    ['a eq 1 or b eq 1 and c eq 1', { a: 1, c: 1 }, { a: 1 }],
    ['a eq 1 or (b eq 1 and c eq 1)', { a: 1 }, { b: 1 }],
    ['a eq 1\n  and b eq 1', { a: 1, b: 1 }, { a: 1 }],
    ['company.size eq 5', { 'company.size': 5 }, {}],
    ['{"==": [{"var": "key"}, "ada"]}', { targetingKey: 'ada' }, { key: 'ada' }],
    [
      '{"and": [{">": [{"var": "age"}, 18]}, {"!": {"==": [{"var": "plan"}, "x"]}}]}',
      { age: 19 },
      { age: 19, plan: 'x' },
    ],
  ])('hold for a query as there: %s', (query, inside, outside) => {
    expect([holds(query, inside), holds(query, outside)]).toEqual([true, false])
  })

  it('say where texts are compared otherwise', () => {
    const codes = (query: string) =>
      readFlag({
        variations,
        targeting: [{ query, variation: 'on' }],
        defaultRule,
      }).keys[0]?.issues.map(({ code, severity }) => `${code} ${severity}`)
    expect(codes('plan eq "pro"')).toEqual(['GO-T005 medium'])
    expect(codes('plan ne "5"')).toEqual(['GO-T009 medium'])
    expect(codes('plan in ["pro"]')).toEqual([])
    expect(codes('{">": [{"var": "age"}, 18]}')).toEqual(['GO-T007 medium'])
  })

  it.each([
    'plan eq',
    'plan like "x"',
    'plan eq "a" AND plan eq "b"',
    'plan gt "a"',
    'plan eq "a',
    'plan in "a"',
    'plan eq ["a"]',
    'plan in ["a", 1]',
    '(plan eq "a"',
    'age co 5',
    'plan pr )',
    'version gt 0.4.0-beta.1',
    'not plan pr',
    '{"sem_ver": [{"var": "v"}, ">", "1.0.0"]}',
    '{"var": "plan"}',
  ])('are left out with the query %s', (query) => {
    const { leftOut } = readFlag({
      variations,
      targeting: [{ query, variation: 'on' }],
      defaultRule,
    })
    expect(leftOut).toMatchObject([
      { from: 'checkout', issues: [{ code: 'GO-T010', severity: 'high' }] },
    ])
  })

  it.each<[string, object, string]>([
    ['disabled', { disable: true }, 'GO-T002'],
    ['with an experimentation', { experimentation: { end: '2027-01-01T00:00:00Z' } }, 'GO-T015'],
    ['with scheduled steps', { scheduledRollout: [{ date: '2027-01-01T00:00:00Z' }] }, 'GO-T014'],
    ['with a variation that is not there', { defaultRule: { variation: 'blue' } }, 'GO-T023'],
    [
      'with values of several types that are not the same for everyone',
      {
        variations: { small: { size: 1 }, large: 'large' },
        defaultRule: { percentage: { small: 50, large: 50 } },
      },
      'GO-T020',
    ],
  ])('are left out %s', (_, more, code) => {
    const { keys, leftOut } = readFlag({ variations, defaultRule, ...more })
    expect([keys, leftOut]).toMatchObject([[], [{ issues: [{ code, severity: 'high' }] }]])
  })

  describe('with a rollout that grows', () => {
    const from = '2026-11-30T00:00:00Z'
    const progressiveRollout = {
      initial: { variation: 'off', percentage: 10, date: from },
      end: { variation: 'on', percentage: 90, date: '2026-12-01T00:00:00Z' },
    }
    const readAt = (moment: string) =>
      read(JSON.stringify({ checkout: { variations, defaultRule: { progressiveRollout } } }), {
        now: new Date(moment),
      }).keys[0]

    it.each([
      ['before it begins', '2026-11-29T23:59:59Z', undefined, 'GO-T013'],
      ['at its begin', from, 10, 'GO-T013'],
      ['half-way', '2026-11-30T12:00:00Z', 50, 'GO-T013'],
      ['at its end', '2026-12-01T00:00:00Z', 90, undefined],
    ])('have the share of the moment: %s', (_, moment, percent, code) => {
      const key = readAt(moment)
      const [rule] = (key?.values[0]?.rules ?? []) as { when: { percent: number }[] }[]
      expect(key?.values[0]?.value).toBe(false)
      expect(rule?.when[0]?.percent).toBe(percent)
      expect(key?.issues.map((issue) => issue.code)).toEqual(code === undefined ? [] : [code])
    })
  })

  it.each([
    ['flags: {}', /no file of GO Feature Flag/],
    ['{"flags": {"a": {"variants": {}}}}', /no file of GO Feature Flag/],
    ['a: {variations: {on: true}}\nb: 1', /b is no object/],
    ['a: {variations: {on: true}, targeting: 3}', /a\.targeting is no list/],
    ['a: {variations: {on: true}}', /a\.defaultRule is no object/],
    [
      'a: {variations: {on: true}, defaultRule: {percentage: {on: x}}}',
      /percentage\.on is no number/,
    ],
    [
      'a: {variations: {on: true}, defaultRule: {progressiveRollout: {initial: {variation: on}}}}',
      /initial\.date is no date/,
    ],
    ['[checkout]\nvariations = 1', /This is TOML/],
  ])('that cannot be read say where: %s', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })
})
