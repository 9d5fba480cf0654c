import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ReadOptions } from '../importer.ts'
import { prepareImported } from '../testing/prepare-imported.ts'
import { flipt } from './flipt.ts'

const options: ReadOptions = { environment: 'production', environments: new Map() }
const read = (text: string) => flipt.fromFile(text, options)
const readJson = (document: unknown) => read(JSON.stringify(document))

const yaml = `
version: "1.4"
namespace:
  key: default
  name: Default
flags:
- key: checkout
  name: Checkout
  type: BOOLEAN_FLAG_TYPE
  description: The new one
  enabled: false
  rollouts:
  - description: internal users
    segment:
      key: internal
      value: true
  - segment:
      keys: [internal, germans]
      operator: AND_SEGMENT_OPERATOR
  - threshold:
      percentage: 30
      value: true
- key: banner
  name: Banner
  enabled: true
  variants:
  - key: blue
    default: true
segments:
- key: internal
  name: Internal
  match_type: ANY_MATCH_TYPE
  constraints:
  - type: STRING_COMPARISON_TYPE
    property: email
    operator: suffix
    value: "@acme.com"
  - type: ENTITY_ID_COMPARISON_TYPE
    property: entity
    operator: isoneof
    value: '["user-1","user-2"]'
- key: germans
  name: Germans
  match_type: ALL_MATCH_TYPE
`

/** These issues are about spaces and numbers, which the contexts do not have. */
const harmless = new Set(['FL-T005', 'FL-T006'])

function holds(constraint: object, context: Record<string, unknown>) {
  const constraints = [{ type: 'STRING_COMPARISON_TYPE', property: 'a', ...constraint }]
  const { keys } = readJson({
    flags: [
      {
        key: 'checkout',
        type: 'BOOLEAN_FLAG_TYPE',
        enabled: false,
        rollouts: [{ segment: { key: 'some', value: true } }],
      },
    ],
    segments: [{ key: 'some', constraints }],
  })
  return prepareImported(keys[0], harmless)?.decide(context)
}

describe('flags of Flipt', () => {
  it('keep their segments and the users of their thresholds, from YAML', () => {
    const { keys, leftOut } = read(yaml)
    expect(leftOut).toEqual([])
    expect(keys).toMatchObject([
      {
        key: 'checkout',
        description: 'The new one',
        verdict: 'differs',
        values: [{ value: false }],
        issues: [{ code: 'FL-T011' }, { code: 'FL-T005' }, { code: 'FL-T011' }],
      },
      { key: 'banner', tier: 'public', values: [{ value: 'blue' }] },
    ])
    const flag = prepareImported(keys[0], harmless)
    const users = Array.from({ length: 500 }, (_, index) => `user-${index}`)
    const isOn = (targetingKey: string) => flag?.decide({ targetingKey }) === true
    // Flipt hashes the user, then the flag. Both users of the segment are in.
    expect(users.filter(isOn)).toEqual(
      users.filter(
        (user) => ['user-1', 'user-2'].includes(user) || crc32(`${user}checkout`) % 100 < 30,
      ),
    )
    expect(flag?.decide({ email: 'ada@acme.com' })).toBe(true)
    expect(flag?.decide({ email: 'ada@other.com' })).toBe(false)
  })

  const number = 'NUMBER_COMPARISON_TYPE'
  const boolean = 'BOOLEAN_COMPARISON_TYPE'
  it.each<[object, unknown, unknown]>([
    [{ operator: 'eq', value: '5' }, 5, '6'],
    [{ operator: 'neq', value: 'x' }, 'y', ''],
    [{ operator: 'neq', value: 'x' }, 'y', undefined],
    [{ operator: 'empty' }, undefined, 'x'],
    [{ operator: 'notempty' }, 'x', ''],
    [{ operator: 'prefix', value: 'ab' }, 'abc', 'cab'],
    [{ operator: 'contains', value: 'b' }, 'abc', undefined],
    [{ operator: 'notcontains', value: 'b' }, 'ac', undefined],
    [{ operator: 'isnotoneof', value: '["x"]' }, 'y', undefined],
    [{ operator: 'isoneof', value: '["x", "5"]' }, 5, 'y'],
    [{ type: number, operator: 'gte', value: '3' }, 3, 2],
    [{ type: number, operator: 'neq', value: '3' }, -2, 3],
    [{ type: number, operator: 'isnotoneof', value: '[1,2]' }, 3, undefined],
    [{ type: number, operator: 'notpresent' }, undefined, 3],
    [{ type: boolean, operator: 'true' }, 'T', 'yes'],
    [{ type: boolean, operator: 'true' }, 1, 5],
    [{ type: boolean, operator: 'false' }, false, undefined],
    [{ type: 'DATETIME_COMPARISON_TYPE', operator: 'present' }, 'x', ''],
  ])('have the constraint %j, which holds for %j and not for %j', (constraint, yes, no) => {
    const contextOf = (a: unknown) => (a === undefined ? {} : { a })
    expect(holds(constraint, contextOf(yes))).toBe(true)
    expect(holds(constraint, contextOf(no))).toBe(false)
  })

  it.each([
    ['no default variant', { variants: [{ key: 'a' }] }, 'FL-T002'],
    ['rules by a date', { enabled: true, rules: [{ segment: 'dated' }] }, 'FL-T010'],
    ['a date', { type: 'BOOLEAN_FLAG_TYPE', rollouts: [{ segment: { key: 'dated' } }] }, 'FL-T010'],
  ])('are left out with %s, and say so', (_, parts, code) => {
    const dated = {
      type: 'DATETIME_COMPARISON_TYPE',
      property: 'a',
      operator: 'lt',
      value: '2026-01-01',
    }
    const { leftOut } = readJson({
      flags: [{ key: 'checkout', ...parts }],
      segments: [{ key: 'dated', constraints: [dated] }],
    })
    expect(leftOut).toMatchObject([{ from: 'checkout', issues: [{ code, severity: 'high' }] }])
  })

  it('that ask for a part of a number say that only texts have parts', () => {
    const content = { type: 'STRING_COMPARISON_TYPE', property: 'a', operator: 'contains' }
    const codesFor = (value: string) =>
      readJson({
        flags: [
          { key: 'checkout', type: 'BOOLEAN_FLAG_TYPE', rollouts: [{ segment: { key: 'some' } }] },
        ],
        segments: [{ key: 'some', constraints: [{ ...content, value }] }],
      }).keys[0]?.issues.map(({ code }) => code)
    expect(codesFor('pro')).toEqual(['FL-T011'])
    expect(codesFor('5')).toEqual(['FL-T011', 'FL-T008'])
  })

  it('of variants become public keys, whose rules serve the keys of the variants', () => {
    const distributions = [
      { variant: 'blue', rollout: 30 },
      { variant: 'red', rollout: 70 },
    ]
    const banner = { key: 'banner', enabled: true, rules: [{ segment: 'some', distributions }] }
    const variants = [{ key: 'blue' }, { key: 'red' }]
    const segments = [{ key: 'some' }]
    const { keys } = readJson({ flags: [{ ...banner, variants }], segments })
    expect(keys).toMatchObject([{ targeted: true, verdict: 'exact', values: [{ value: '' }] }])
    const users = Array.from({ length: 500 }, (_, index) => `user-${index}`)
    const decide = prepareImported(keys[0])?.decide
    expect(users.filter((targetingKey) => decide?.({ targetingKey }) === 'blue')).toEqual(
      users.filter((user) => crc32(`banner${user}`) % 1000 < 300),
    )
  })

  it('have their attachments in a key beside them', () => {
    const variants = [{ key: 'blue', default: true, attachment: { size: 1 } }]
    const { keys } = readJson({ flags: [{ key: 'banner', variants }] })
    expect(keys).toMatchObject([
      { key: 'banner', verdict: 'exact', values: [{ value: 'blue' }] },
      { key: 'banner.attachments', type: 'json', values: [{ value: { blue: { size: 1 } } }] },
    ])
    expect(keys[0]?.issues.map(({ code }) => code)).toEqual(['FL-T022', 'FL-T021'])
  })

  it('come from the JSON of an export, whose empty namespaces do not count', () => {
    const flags = [{ key: 'checkout', type: 'BOOLEAN_FLAG_TYPE', enabled: true }]
    const lines = [
      { version: '1.4', namespace: { key: 'default' } },
      { namespace: 'shop', flags },
    ]
    const { keys } = read(lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(keys).toMatchObject([{ key: 'checkout', values: [{ value: true }] }])
  })

  describe('of several namespaces', () => {
    const flag = (key: string) => ({ key, type: 'BOOLEAN_FLAG_TYPE', enabled: true })
    const several = [
      { namespace: { key: 'web' }, flags: [flag('checkout')] },
      { namespace: 'api', flags: [flag('limits')], segments: [] },
      { namespace: 'api', flags: [flag('search')] },
      { namespace: 'empty' },
    ]
    const text = several.map((document) => JSON.stringify(document)).join('\n')
    const readNamed = (namespace: string) => flipt.fromFile(text, { ...options, namespace })

    it('come from the one that is named, with every document of it', () => {
      expect(readNamed('web').keys.map(({ key }) => key)).toEqual(['checkout'])
      expect(readNamed('api').keys.map(({ key }) => key)).toEqual(['limits', 'search'])
    })

    it('are refused with the names that there are, where none or another one is named', () => {
      expect(() => read(text)).toThrow(
        'several namespaces: web, api. Import one at a time: signalbox import flipt --namespace web',
      )
      for (const name of ['Web', 'empty', '']) {
        expect(() => readNamed(name)).toThrow(`in the namespace ${name}. It has: web, api.`)
      }
    })
  })

  it('are left out alone when they refer to a segment that the export does not have', () => {
    const rollouts = (key: string) => [{ segment: { key, value: true } }]
    const { keys, leftOut } = readJson({
      flags: [
        { key: 'lost', type: 'BOOLEAN_FLAG_TYPE', rollouts: rollouts('nowhere') },
        { key: 'checkout', type: 'BOOLEAN_FLAG_TYPE', rollouts: rollouts('staff') },
      ],
      segments: [{ key: 'staff' }],
    })
    expect(keys.map(({ key }) => key)).toEqual(['checkout'])
    const cause = expect.stringMatching(/^flags\[0\]\.rollouts\[0\]\.segment .* nowhere/)
    expect(leftOut).toMatchObject([{ from: 'lost', issues: [{ code: 'FL-T012', cause }] }])
  })

  it.each([
    ['flags:\n- key: "a', /no YAML: line 2/],
    ['{"flags": [\n"a": ]}', /no JSON: line 2/],
    ['- a', /no export of Flipt/],
    ['version: "1.4"', /"flags" is missing/],
    ['flags: [1]', /flags\[0\] is no object/],
    ['flags: [{key: a, type: BOOLEAN_FLAG_TYPE, rollouts: 3}]', /flags\[0\]\.rollouts is no list/],
    [
      'flags: [{key: a}]\n---\nnamespace: shop\nflags: [{key: a}]',
      /several namespaces: default, shop/,
    ],
  ])('that cannot be read say where: %s', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })
})
