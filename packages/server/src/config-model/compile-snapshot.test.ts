import { limits, Problem, type ConfigValue } from '@signalbox/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assertSnapshotSize,
  etagOf,
  renderBody,
  renderOpenContent,
  renderSecretContent,
} from './compile-snapshot.ts'
import type { KeyRule } from './definition.ts'
import type { ResolvedValue } from './resolve-values.ts'
import { fuzzSeed } from '../configs/testing/fuzz-seed.ts'

const target = { schemaId: 'sch_1', schema: 'web', environmentId: 'env_1', environment: 'prod "x"' }

interface KeyCase {
  readonly rule: KeyRule
  readonly value: ConfigValue | undefined
}

const rule = (type: KeyRule['type'], tier: KeyRule['tier']): KeyRule => ({
  type,
  tier,
  required: true,
  hasDefault: false,
})

function compile(cases: Iterable<readonly [string, KeyCase]>) {
  const entries = [...cases]
  const definition = new Map(entries.map(([key, { rule }]) => [key, rule]))
  const resolved = new Map<string, ResolvedValue>(
    entries.map(([key, { rule, value }]) => {
      if (value === undefined) return [key, { source: 'missing' }]
      return [
        key,
        rule.tier === 'secret' ? { source: 'set', sealed: 'b64' } : { source: 'set', value },
      ]
    }),
  )
  return {
    definition,
    content: renderOpenContent(definition, resolved, { environment: 'production', segments: {} }),
  }
}

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,12}$/)
const text = fc.string({ unit: 'binary' }).filter((t) => !t.includes('\0'))
const keyCase: fc.Arbitrary<KeyCase> = fc.oneof(
  fc.record({
    rule: fc.constant(rule('boolean', 'featureFlags')),
    value: fc.option(fc.boolean(), { nil: undefined }),
  }),
  fc.record({
    rule: fc.constant(rule('string', 'public')),
    value: fc.option(text, { nil: undefined }),
  }),
  fc.record({
    rule: fc.constant(rule('number', 'public')),
    value: fc.option(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
      { nil: undefined },
    ),
  }),
  fc.record({ rule: fc.constant(rule('string', 'secret')), value: fc.constant('c4n4ry') }),
)

describe('compiled snapshots', () => {
  it('hold every open value exactly and nothing of a secret, not even its name', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(name, keyCase), {
          selector: ([key]) => key.toLowerCase(),
          maxLength: 12,
        }),
        (keys) => {
          const { content } = compile(keys)
          const snapshot = JSON.parse(renderBody(target, 7, content))
          const open = (tier: string) =>
            Object.fromEntries(
              keys.flatMap(([key, { rule, value }]) =>
                rule.tier === tier && value !== undefined ? [[key, value]] : [],
              ),
            )
          expect(snapshot).toEqual({
            format: 1,
            ...target,
            version: 7,
            public: open('public'),
            featureFlags: open('featureFlags'),
          })
          expect(Object.keys(content.flagSources).toSorted()).toEqual(
            keys
              .filter(([, { rule }]) => rule.tier === 'featureFlags')
              .map(([key]) => key)
              .toSorted(),
          )
        },
      ),
      { numRuns: 500, seed: fuzzSeed },
    )
  })

  it('are the same bytes and tag whatever order the keys were declared in', () => {
    const keys = fc.uniqueArray(fc.tuple(name, keyCase), {
      selector: ([key]) => key.toLowerCase(),
      minLength: 2,
      maxLength: 8,
    })
    fc.assert(
      fc.property(
        keys,
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (declared, order) => {
          const shuffled = declared
            .map((key) => [order.next().value ?? 0, key] as const)
            .toSorted(([one], [other]) => one - other)
            .map(([, key]) => key)
          const bodies = [declared, shuffled].map((some) =>
            renderBody(target, 1, compile(some).content),
          )
          expect(bodies[0]).toBe(bodies[1])
          expect(etagOf('browser', bodies[0] ?? '')).toBe(etagOf('browser', bodies[1] ?? ''))
        },
      ),
      { numRuns: 200, seed: fuzzSeed },
    )
  })

  it('differ in their tag when a version or a value differs', () => {
    const one = renderBody(
      target,
      1,
      compile([['a', { rule: rule('number', 'public'), value: 1 }]]).content,
    )
    const two = renderBody(
      target,
      2,
      compile([['a', { rule: rule('number', 'public'), value: 1 }]]).content,
    )
    const three = renderBody(
      target,
      1,
      compile([['a', { rule: rule('number', 'public'), value: 2 }]]).content,
    )
    expect(new Set([one, two, three].map((body) => etagOf('browser', body))).size).toBe(3)
    expect(etagOf('browser', one)).toMatch(/^[\w-]{27}$/)
    expect(etagOf('server', one)).not.toBe(etagOf('browser', one))
  })

  it('hold secrets as the JSON object that was opened', () => {
    const { definition } = compile([
      ['b', { rule: rule('string', 'secret'), value: 'x' }],
      ['a', { rule: rule('number', 'secret'), value: 1 }],
      ['c', { rule: rule('string', 'public'), value: 'open' }],
    ])
    const secretTexts = new Map([
      ['a', '1'],
      ['b', '"\\u00e4\\"x"'],
      ['c', '"open"'],
    ])
    expect(renderSecretContent(definition, secretTexts)).toBe('{"a":1,"b":"\\u00e4\\"x"}')
    expect(renderSecretContent(definition, new Map())).toBe('{}')
  })

  it('are refused when they are too large for their readers', () => {
    const content = {
      text: 'x'.repeat(limits.publicSnapshotBytes + 1),
      flagSources: {},
      flagRules: {},
      variables: { open: '', all: '' },
    }
    expect(() => assertSnapshotSize('prod', content, '{}')).toThrow(Problem)
    const secrets = 'x'.repeat(limits.secretSnapshotBytes + 1)
    expect(() => assertSnapshotSize('prod', { ...content, text: '' }, secrets)).toThrow(/secrets/)
  })

  it('are refused while they are rendered when their segments make the rules too large', () => {
    const customers = Array.from({ length: 400 }, (_, n) => `${n}`.padEnd(100, 'x'))
    const segments = {
      large: [{ when: [{ attribute: 'id', operator: 'in', values: customers } as const] }],
    }
    const rules = '[{"when":[{"operator":"segment","segment":"large"}],"serve":true}]'
    const render = (count: number) => {
      const flags = Array.from({ length: count }, (_, n) => `flag${n}`)
      return renderOpenContent(
        new Map(flags.map((flag) => [flag, rule('boolean', 'featureFlags')])),
        new Map(flags.map((flag) => [flag, { source: 'set', value: false, rules }])),
        { environment: 'prod', segments },
      )
    }
    expect(Object.keys(render(5).flagRules)).toHaveLength(5)
    expect(() => render(2000)).toThrow(/rules of flags of the environment prod/)
  })
})
