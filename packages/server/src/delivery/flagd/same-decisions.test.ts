import { createFlagEvaluator, type AttributeCondition, type WrittenRule } from '@signalbox/contract'
import { FlagdCore, MemoryStorage } from '@openfeature/flagd-core'
import { describe, expect, inject, it } from 'vitest'
import { renderDefinition } from './render-definition.ts'

/** Decisions that are compared: all of the proof at a scale of its own, and some with every check. */
const total = inject('scale') > 1 ? 200_000 * inject('scale') : 20_000
const flagsPerSet = 40
const contextsPerSet = 100
const schemaId = 'sch_01jd2m4x9k0000000000000000'

type Chance = <const Item>(items: readonly Item[]) => Item

/** Draws the same numbers in every run (mulberry32). */
interface Chances {
  readonly next: () => number
  readonly of: Chance
}

function createChance(seed: number): Chances {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const of: Chance = (items) => {
    const index = Math.floor(next() * items.length)
    for (const [at, item] of items.entries()) if (at === index) return item
    throw new Error('Nothing to draw from')
  }
  return { next, of }
}

const attributes = ['targetingKey', 'plan', 'age', 'beta', 'accountId', 'a b"c', 'toStringValue']
const texts = [
  'pro',
  'free',
  'ada@acme.example',
  'a',
  '5',
  '1e3',
  ' 5 ',
  'true',
  'null',
  '0',
  '-0',
  'é🎉',
]
const numbers = [0, 5, -5, 5.5, 1000, 1e21, -1, 2 ** 53, 2 ** 53 - 1, -(2 ** 53) + 1, 0.1]
const plains = [...texts, ...numbers, true, false]
const versions = [
  '1.2.3',
  '2.0.0-rc.1',
  '2.0.0',
  '2.10.0',
  '1.2.3+build.5',
  'v1.2.3',
  'x',
  '',
  '01.2.3',
]
const percents = [0, 0.001, 10, 33.333, 50, 99.999, 100]

function drawCondition({ of, next }: Chances): AttributeCondition {
  const attribute = of(attributes)
  const not = next() < 0.3 ? ({ not: true } as const) : {}
  const operator = of([
    'equals',
    'in',
    'text',
    'number',
    'semver',
    'exists',
    'list',
    'share',
  ] as const)
  switch (operator) {
    case 'equals':
      return { attribute, operator, value: of(plains), ...not }
    case 'in':
      return { attribute, operator, values: [of(plains), of(plains), of(plains)], ...not }
    case 'text': {
      const word = of(['startsWith', 'endsWith', 'contains'] as const)
      return {
        attribute,
        operator: word,
        value: of(['a', 'pro', '', '5', 'e', '@acme.example']),
        ...not,
      }
    }
    case 'number': {
      const word = of(['greater', 'greaterOrEqual', 'less', 'lessOrEqual'] as const)
      return { attribute, operator: word, value: of(numbers), ...not }
    }
    case 'semver':
      return {
        attribute: 'version',
        operator,
        value: `${of(['', '=', '>=', '<= ', '>', '<'])}${of(['1.2.3', '2.0.0', '2.0.0-rc.1'])}`,
        ...not,
      }
    case 'share':
      return { attribute, operator, percent: of(percents), ...not }
    case 'exists':
      return { attribute: of([...attributes, 'tags']), operator, ...not }
    case 'list':
      return { attribute: 'tags', operator: 'contains', value: of(['a', 'b', '']), ...not }
  }
}

function drawRules(chance: Chances): WrittenRule[] {
  const { of, next } = chance
  return Array.from({ length: of([0, 1, 2, 3, 5]) }, () => {
    const when = Array.from({ length: of([0, 1, 1, 2, 3]) }, () => drawCondition(chance))
    const by = of([undefined, undefined, ...attributes])
    const rollout = { percent: of(percents), ...(by !== undefined && { by }) }
    return { when, serve: next() < 0.5 ? next() < 0.5 : rollout }
  })
}

function drawContext({ of, next }: Chances): Record<string, string> {
  const context: Record<string, unknown> = {}
  for (const attribute of attributes) {
    // The provider for JavaScript hashes other text than ASCII in another way than every other language.
    const drawn = of([...plains, null, '', `user-${Math.floor(next() * 1e6)}`])
    const isUnit = typeof drawn !== 'string' || /^[ -~]*$/.test(drawn)
    if (next() < 0.8) context[attribute] = isUnit ? drawn : 'user'
  }
  if (next() < 0.8) context['version'] = of(versions)
  if (next() < 0.8) context['tags'] = of([['a', 'b'], {}, [], 'ab', null])
  // flagd's types allow no null, which a context may have.
  return context as Record<string, string>
}

/** Compares decisions about random rules and contexts; returns those that differ, some of them with their rules. */
function compare(decisions: number, change: (definition: string) => string = (text) => text) {
  const chance = createChance(20_261_126)
  const differing: object[] = []
  let compared = 0
  while (compared < decisions) {
    const keys = Array.from({ length: flagsPerSet }, (_, index) => `flag${index}`)
    const rules = new Map(keys.map((key) => [key, drawRules(chance)]))
    const featureFlags = Object.fromEntries(keys.map((key) => [key, chance.next() < 0.5]))
    const flagRules = Object.fromEntries(
      [...rules].map(([key, drawn]) => [key, JSON.stringify(drawn)]),
    )
    const snapshot = { schemaId, flagSources: {}, flagRules, featureFlags }
    const text = change(renderDefinition(snapshot, { schema: 'web', environment: 'production' }))
    const core = openCore(text)
    const contexts = Array.from({ length: contextsPerSet }, () => drawContext(chance))
    compared += keys.length * contexts.length
    for (const key of keys) {
      const drawn = { value: featureFlags[key] ?? false, rules: rules.get(key) ?? [] }
      const evaluate = createFlagEvaluator({ schemaId, key, ...drawn })
      const found = contexts
        .map((context) => {
          const ours = evaluate(context).value
          const theirs = core.resolveBooleanEvaluation(key, !ours, context)
          return { context, ours, theirs }
        })
        .filter(({ ours, theirs }) => theirs.value !== ours)
      differing.push(...found.map((each) => ({ ...drawn, ...each })))
    }
  }
  return differing
}

const silent = { error() {}, warn() {}, info() {}, debug() {} }

/** An evaluator of flagd; throws when the definition is not valid by the published JSON schemas. */
function openCore(definition: string): FlagdCore {
  const storage = new MemoryStorage(silent)
  storage.setConfigurations(definition, true)
  return new FlagdCore(storage, silent)
}

describe("flagd's evaluator and ours", () => {
  it(`decide alike, and the definition is valid by flagd's schemas: ${total} decisions`, () => {
    expect(
      compare(total)
        .slice(0, 3)
        .map((each) => JSON.stringify(each)),
    ).toEqual([])
  })

  it.each([
    ['that an attribute is a text', (text: string) => replace(text, isText, 'true')],
    ['that an attribute is a number', (text: string) => replace(text, isNumber, 'true')],
    ['that a text is not empty', (text: string) => replace(text, isNotEmpty, 'true')],
    ['that a number is a whole one', (text: string) => replace(text, isWhole, 'true')],
    ['that a version has no v', (text: string) => replace(text, hasNoV, 'true')],
  ])('control: they differ when nothing guards %s', (_, change) => {
    expect(compare(12_000, change).length).toBeGreaterThan(0)
  })

  it('control: a definition that is not valid is refused', () => {
    const text = renderDefinition(
      { schemaId, flagSources: {}, flagRules: {}, featureFlags: { on: true } },
      { schema: 'web', environment: 'production' },
    )
    expect(() => openCore(text)).not.toThrow()
    expect(() => openCore(text.replace('ENABLED', 'SOMETIMES'))).toThrow('invalid flagd')
  })
})

const name = String.raw`\{"var":"(?:[^"\\]|\\.)*"\}`
const isText = new RegExp(String.raw`\{"===":\[\{"cat":\[${name}\]\},${name}\]\}`, 'g')
const isNumber = new RegExp(String.raw`\{"===":\[\{"\*":\[${name},1\]\},${name}\]\}`, 'g')
const isNotEmpty = new RegExp(String.raw`\{"!==":\[${name},""\]\}`, 'g')
const isWhole = new RegExp(String.raw`\{"===":\[\{"%":\[${name},1\]\},0\]\}`, 'g')
const hasNoV = new RegExp(String.raw`\{"!":\[\{"starts_with":\[${name},"v"\]\}\]\}`, 'g')

function replace(text: string, guard: RegExp, by: string): string {
  const replaced = text.replace(guard, by)
  if (replaced === text) throw new Error('The guard is not in the definition')
  return replaced
}
