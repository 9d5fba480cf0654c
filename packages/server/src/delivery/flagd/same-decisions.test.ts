import {
  createFlagEvaluator,
  nameServed,
  sameValue,
  type AttributeCondition,
  type ConfigValue,
  type FlagEvaluation,
  type Serve,
  type WrittenRule,
} from '@signalbox/contract'
import { FlagdCore, MemoryStorage } from '@openfeature/flagd-core'
import { describe, expect, inject, it } from 'vitest'
import { createFlagSet } from '../ofrep/flag-set.ts'
import { renderDefinition } from './render-definition.ts'

/** Decisions that are compared: all of the proof at a scale of its own, and some with every check. */
const total = inject('scale') > 1 ? 240_000 * inject('scale') : 20_000
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

/** Lists the kinds of keys: a flag, a flag with variants, a number, a text or an object. */
const kinds = ['flag', 'variants', 'number', 'string', 'json'] as const
type Kind = (typeof kinds)[number]

const variants = [
  { name: 'control', on: false },
  { name: 'blue', on: true },
  { name: 'green', on: true },
  { name: 'off', on: false },
]

const served = {
  number: [0, 1, -0.5, 12, 50, 1e21],
  // Some have one name where it is cut or written with other signs, and one that of another key's variant.
  string: ['', 'empty', 'on', 'x'.repeat(80), `${'x'.repeat(80)}y`, 'é🎉', '"a"\n', "'a'\\", '12'],
  // Some are equal and written in another order, and some look like what serves a value or a variant.
  json: [
    {},
    { a: 1, b: [true, null] },
    { b: [true, null], a: 1 },
    { value: 1 },
    { variant: 'blue' },
    { split: [], percent: 10, operator: 'segment' },
  ],
}

function drawPart({ of }: Chances, kind: Exclude<Kind, 'flag'>) {
  return kind === 'variants'
    ? { variant: of(variants).name }
    : { value: of<ConfigValue>(served[kind]) }
}

function drawServe(chance: Chances, kind: Kind): Serve {
  const { of, next } = chance
  const by = of([undefined, undefined, ...attributes])
  const unit = by !== undefined && { by }
  if (kind === 'flag' || (kind === 'variants' && next() < 0.2)) {
    return next() < 0.5 ? next() < 0.5 : { percent: of(percents), ...unit }
  }
  if (next() < 0.5) return drawPart(chance, kind)
  const shares = of([[100], [50, 50], [33.333, 66.667], [0, 99.999, 0.001], [10, 20, 30, 40]])
  return { split: shares.map((percent) => ({ ...drawPart(chance, kind), percent })), ...unit }
}

function drawRules(chance: Chances, kind: Kind): WrittenRule[] {
  const { of } = chance
  return Array.from({ length: of([0, 1, 2, 3, 5]) }, () => {
    const when = Array.from({ length: of([0, 1, 1, 2, 3]) }, () => drawCondition(chance))
    return { when, serve: drawServe(chance, kind) }
  })
}

/** Draws the value of a key where no rule decides. */
function drawValue({ of, next }: Chances, kind: Kind): ConfigValue {
  return kind === 'flag' || kind === 'variants' ? next() < 0.5 : of<ConfigValue>(served[kind])
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

interface Drawn {
  readonly key: string
  readonly kind: Kind
  readonly value: ConfigValue
  readonly rules: readonly WrittenRule[]
  readonly variants?: typeof variants
}

function drawKey(chance: Chances, index: number): Drawn {
  const kind = kinds[index % kinds.length] ?? 'flag'
  const drawn = {
    key: `key${index}`,
    kind,
    value: drawValue(chance, kind),
    rules: drawRules(chance, kind),
  }
  return kind === 'variants' ? { ...drawn, variants } : drawn
}

const names = { schemaId, schema: 'web', environment: 'production', version: 1 }

/** Returns a snapshot as it is published: the rules of a plain flag as a list, and everything else as a `Targeting`. */
function toSnapshot(drawn: readonly Drawn[]) {
  const isFlag = ({ kind }: Drawn) => kind === 'flag' || kind === 'variants'
  const valuesOf = (keys: readonly Drawn[]) =>
    Object.fromEntries(keys.map(({ key, value }) => [key, value]))
  return {
    ...names,
    flagSources: Object.fromEntries(drawn.map(({ key }) => [key, 'set' as const])),
    flagRules: Object.fromEntries(
      drawn.map(({ key, kind, rules, variants: declared }) => [
        key,
        JSON.stringify(kind === 'flag' ? rules : { rules, variants: declared }),
      ]),
    ),
    flagVersions: {},
    featureFlags: valuesOf(drawn.filter(isFlag)) as Record<string, boolean>,
    values: valuesOf(drawn.filter((key) => !isFlag(key))),
  }
}

/** Asks flagd's evaluator, with a default that is no value of the key. */
function resolveFlagd(core: FlagdCore, { key, kind }: Drawn, context: Record<string, string>) {
  if (kind === 'number') return core.resolveNumberEvaluation(key, -1, context)
  if (kind === 'string') return core.resolveStringEvaluation(key, 'none', context)
  if (kind === 'json') return core.resolveObjectEvaluation(key, { none: true }, context)
  return core.resolveBooleanEvaluation(key, false, context)
}

type Snapshot = ReturnType<typeof toSnapshot>

/** Changes what one of the two reads, for a control. */
interface Changes {
  readonly definition?: (text: string) => string
  readonly ofrep?: (snapshot: Snapshot) => Snapshot
}

interface Decision {
  readonly ours: FlagEvaluation<ConfigValue>
  readonly theirs: ReturnType<typeof resolveFlagd>
  readonly answered: Readonly<Record<string, unknown>>
}

/** Returns whether flagd and OFREP decide as the one evaluator does, and name the same variant. */
function isAlike({ ours: { value, variant, reason }, theirs, answered }: Decision): boolean {
  const isByFlagd =
    theirs.reason !== 'ERROR' &&
    sameValue(theirs.value, value) &&
    theirs.variant === (variant ?? theirs.variant)
  if (!isByFlagd) return false
  if (reason === 'unknown') return answered['errorCode'] === 'TARGETING_KEY_MISSING'
  return (
    sameValue(answered['value'], value) && answered['variant'] === (variant ?? nameServed(value))
  )
}

/** Compares decisions about random rules and contexts; returns those that differ, with their rules. */
function compare(count: number, { definition, ofrep: changed }: Changes = {}) {
  const chance = createChance(20_261_126)
  const differing: object[] = []
  let compared = 0
  while (compared < count) {
    const drawn = Array.from({ length: flagsPerSet }, (_, index) => drawKey(chance, index))
    const snapshot = toSnapshot(drawn)
    const text = renderDefinition(snapshot)
    const core = openCore(definition?.(text) ?? text)
    const ofrep = createFlagSet(changed?.(snapshot) ?? snapshot)
    const contexts = Array.from({ length: contextsPerSet }, () => drawContext(chance))
    compared += drawn.length * contexts.length
    for (const key of drawn) {
      const evaluate = createFlagEvaluator<ConfigValue>({ schemaId, ...key })
      const decisions = contexts.map((context) => ({
        context,
        ours: evaluate(context),
        theirs: resolveFlagd(core, key, context),
        answered: JSON.parse(ofrep.decide(key.key, context)?.text ?? '{}'),
      }))
      const others = decisions.filter((decision) => !isAlike(decision))
      differing.push(...others.map((decision) => ({ ...key, ...decision })))
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
    ['that buckets are those of the key', (text: string) => replace(text, isOfKey, '"cat":[""')],
    ['that a variant is the first one', (text: string) => replace(text, isFirst, '"off"')],
  ])('control: flagd differs when nothing guards %s', (_, definition) => {
    expect(compare(12_000, { definition }).length).toBeGreaterThan(0)
  })

  it.each([
    ['plain rules', '['],
    ['rules with values, and variants', '{'],
  ])('control: OFREP differs when it reads no %s', (_, begin) => {
    const ofrep = (snapshot: Snapshot) => ({
      ...snapshot,
      flagRules: Object.fromEntries(
        Object.entries(snapshot.flagRules).filter(([, text]) => !text.startsWith(begin)),
      ),
    })
    expect(compare(12_000, { ofrep }).length).toBeGreaterThan(0)
  })

  it('control: a definition that is not valid is refused', () => {
    const text = renderDefinition({ ...toSnapshot([]), featureFlags: { on: true } })
    expect(() => openCore(text)).not.toThrow()
    expect(() => openCore(text.replace('ENABLED', 'SOMETIMES'))).toThrow('invalid flagd')
  })
})

const name = String.raw`\{"var":"(?:[^"\\]|\\.)*"\}`
const isText = new RegExp(String.raw`\{"===":\[\{"cat":\[${name}\]\},${name}\]\}`, 'g')
const isNumber = new RegExp(String.raw`\{"===":\[\{"\*":\[${name},1\]\},${name}\]\}`, 'g')
const isNotEmpty = new RegExp(String.raw`\{"!==":\[${name},""\]\}`, 'g')
const isWhole = new RegExp(String.raw`\{"===":\[\{"%":\[${name},1\]\},0\]\}`, 'g')
const isOfKey = new RegExp(`"cat":\\["${schemaId}/key\\d+/"`, 'g')
const isFirst = /(?<="defaultVariant":)"control"/g
const hasNoV = new RegExp(String.raw`\{"!":\[\{"starts_with":\[${name},"v"\]\}\]\}`, 'g')

function replace(text: string, guard: RegExp, by: string): string {
  const replaced = text.replace(guard, by)
  if (replaced === text) throw new Error('The guard is not in the definition')
  return replaced
}
