import type { AttributeCondition, ConfigValue, Serve, WrittenRule } from '@signalbox/contract'

type Chance = <const Item>(items: readonly Item[]) => Item

/** Draws the same numbers in every run (mulberry32). */
export interface Chances {
  readonly next: () => number
  readonly of: Chance
}

/** Creates chances that `seed` decides. */
export function createChance(seed: number): Chances {
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

/** Lists the kinds of keys: a flag, a flag with variants, a number, a text, an object, or a list or an object. */
const kinds = ['flag', 'variants', 'number', 'string', 'json', 'list'] as const
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
  list: [[], [true, null, -0.5], ['a', ['b']], [{ a: 1 }], {}, { a: [1] }],
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

/** Draws the attributes of a user, of types that suit no condition as well. */
export function drawContext({ of, next }: Chances): Record<string, string> {
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

/** Describes a key with its value and its rules. */
export interface DrawnKey {
  readonly key: string
  readonly kind: Kind
  readonly value: ConfigValue
  readonly rules: readonly WrittenRule[]
  readonly variants?: typeof variants
}

/** Draws a key, whose kind its index decides. */
export function drawKey(chance: Chances, index: number): DrawnKey {
  const kind = kinds[index % kinds.length] ?? 'flag'
  const drawn = {
    key: `key${index}`,
    kind,
    value: drawValue(chance, kind),
    rules: drawRules(chance, kind),
  }
  return kind === 'variants' ? { ...drawn, variants } : drawn
}
