import { describe, expect, it } from 'vitest'
import {
  freshDraft,
  readDraft,
  toDraftField,
  withTier,
  withType,
  type KeyDraft,
} from './key-draft.ts'
import { renderDeclaration } from './render-declaration.ts'

const draft = (change: Partial<KeyDraft>): KeyDraft => ({
  ...freshDraft('public'),
  name: 'key',
  ...change,
})
const limits = (change: Partial<KeyDraft['limits']>) => ({
  ...freshDraft('public').limits,
  ...change,
})
const errorsOf = (given: KeyDraft, existingNames: readonly string[] = []) => {
  const read = readDraft(given, existingNames)
  return read.ok ? [] : [...read.errors.keys()]
}

describe('a key that is described', () => {
  it('becomes a definition with what was typed, and nothing else', () => {
    const given = draft({
      name: ' timeoutMs ',
      type: 'number',
      isWhole: true,
      defaultText: '250',
      limits: limits({ minimum: '1', maxLength: '7' }),
    })
    expect(readDraft(given, [])).toEqual({
      ok: true,
      name: 'timeoutMs',
      values: new Map(),
      isPlain: false,
      definition: {
        type: 'number',
        tier: 'public',
        required: true,
        default: 250,
        constraints: { minimum: 1, multipleOf: 1 },
      },
    })
  })

  it('has a value in each environment where one was typed, read by its type', () => {
    const values = { env_a: '20', env_b: '', env_c: 'many' }
    expect(errorsOf(draft({ type: 'number', values }))).toEqual(['value of env_c'])
    const read = readDraft(draft({ type: 'number', values: { env_a: '20', env_b: '' } }), [])
    expect(read).toMatchObject({ ok: true, values: new Map([['env_a', 20]]) })
  })

  it('has values within its own limits, before anything is saved', () => {
    const violationsOf = (change: Partial<KeyDraft>, text: string) => {
      const read = readDraft(draft({ ...change, values: { env_a: text } }), [])
      return read.ok ? [] : [...read.errors.values()]
    }
    const number = { type: 'number', limits: limits({ minimum: '1', maximum: '10' }) } as const
    expect(violationsOf(number, '11')).toEqual(['Use at most 10.'])
    expect(violationsOf(number, '0')).toEqual(['Use at least 1.'])
    expect(violationsOf(number, '10')).toEqual([])
    expect(violationsOf({ type: 'number', isWhole: true }, '2.5')).toEqual(['Use a whole number.'])
    expect(violationsOf({ type: 'number' }, '1e300')).toEqual([
      'Use a number up to 9007199254740991.',
    ])
    const text = { limits: limits({ minLength: '2', maxLength: '3' }) }
    expect(violationsOf(text, 'a')).toEqual(['Use at least 2 characters.'])
    expect(violationsOf(text, 'abcd')).toEqual(['Use at most 3 characters.'])
    expect(violationsOf(text, '🦊🦊🦊')).toEqual([])
    expect(violationsOf({ limits: limits({ enum: 'red\ngreen' }) }, 'blue')).toEqual([
      'Use one of red, green.',
    ])
  })

  it.each([
    [{ exclusiveMinimum: '1', exclusiveMaximum: '3' }, '1', 'Use more than 1.'],
    [{ exclusiveMinimum: '1', exclusiveMaximum: '3' }, '3', 'Use less than 3.'],
    [{ exclusiveMinimum: '1', exclusiveMaximum: '3' }, '2', undefined],
    [{ multipleOf: '5' }, '7', 'Use a multiple of 5.'],
    [{ multipleOf: '5' }, '10', undefined],
    [{ enum: '1\n2' }, '3', 'Use one of 1, 2.'],
    [{ enum: '1\n2' }, '2', undefined],
    [{ const: '4' }, '5', 'Use 4.'],
  ])('with the limits %j has the fault of %s: %s', (given, text, violation) => {
    const read = readDraft(
      draft({ type: 'number', limits: limits(given), values: { env_a: text } }),
      [],
    )
    expect(read.ok ? undefined : read.errors.get('value of env_a')).toBe(violation)
    const asDefault = draft({ type: 'number', limits: limits(given), defaultText: text })
    const preset = readDraft(asDefault, [])
    expect(preset.ok ? undefined : preset.errors.get('default')).toBe(violation)
  })

  it.each([
    ['number', { multipleOf: '0' }, 'multipleOf', 'Use a number above 0.'],
    ['number', { exclusiveMaximum: 'many' }, 'exclusiveMaximum', 'Use a number, such as 3.'],
    ['number', { enum: '1\ntwo' }, 'enum', 'Use a number in each line.'],
    ['number', { const: 'two' }, 'const', 'Type a number, such as 250 or 0.5.'],
    ['string', { minLength: '1.5' }, 'minLength', 'Use a whole number of at least 0.'],
    ['string', { enum: 'a\nb\na' }, 'enum', 'List a once.'],
    [
      'number',
      { minimum: '3', exclusiveMaximum: '3' },
      'minimum',
      'No value can satisfy minimum and exclusiveMaximum together.',
    ],
  ] as const)(
    'of the type %s with the limits %j has a fault at %s',
    (type, given, field, violation) => {
      const read = readDraft(draft({ type, limits: limits(given) }), [])
      expect(read.ok ? [] : [...read.errors]).toEqual([[field, violation]])
    },
  )

  it('can require one value, whatever its type, and whole steps of another size', () => {
    const constraintsOf = (change: Partial<KeyDraft>) => {
      const read = readDraft(draft(change), [])
      return read.ok ? read.definition.constraints : read.errors
    }
    expect(constraintsOf({ limits: limits({ const: ' a ' }) })).toEqual({ const: ' a ' })
    expect(constraintsOf({ type: 'boolean', limits: limits({ const: 'true' }) })).toEqual({
      const: true,
    })
    const steps = (multipleOf: string) => ({
      type: 'number' as const,
      isWhole: true,
      limits: limits({ multipleOf }),
    })
    expect(constraintsOf(steps(''))).toEqual({ multipleOf: 1 })
    expect(constraintsOf(steps('5'))).toEqual({ multipleOf: 5 })
    expect(constraintsOf(steps('0.5'))).toEqual({ multipleOf: 0.5, type: 'integer' })
  })

  it('loses values that were typed for a secret once it is public, and those of another type', () => {
    const secret = draft({ tier: 'secret', values: { env_a: 'the secret' } })
    expect(withTier(secret, 'public').values).toEqual({})
    expect(withType(draft({ values: { env_a: 'text' } }), 'number').values).toEqual({})
  })

  it('has variants of which one is on and one is off, or is refused beside them', () => {
    const variants = [
      { name: 'blue', on: true },
      { name: 'b l u e', on: true },
    ]
    const flag = { ...freshDraft('featureFlags'), name: 'key' }
    expect(errorsOf({ ...flag, variants })).toEqual(['variant 1', 'variants'])
    expect(errorsOf({ ...flag, variants: [] })).toEqual([])
  })

  it('is refused for a name that is taken, whatever the case of its letters, or that no key can have', () => {
    expect(errorsOf(draft({ name: 'apiurl' }), ['apiUrl'])).toEqual(['name'])
    expect(errorsOf(draft({ name: '' }))).toEqual(['name'])
    expect(errorsOf(draft({ name: '__proto__' }))).toEqual(['name'])
  })

  it('is refused beside each field that is none of its type', () => {
    const given = draft({
      type: 'number',
      defaultText: 'soon',
      limits: limits({ maximum: 'many' }),
    })
    expect(errorsOf(given).toSorted()).toEqual(['default', 'maximum'])
  })

  it('has no default once it is a secret, and is a boolean once it is a flag', () => {
    const open = draft({ defaultText: 'readable' })
    expect(withTier(open, 'secret').defaultText).toBe('')
    expect(withTier(open, 'featureFlags')).toMatchObject({ type: 'boolean', name: 'key' })
  })
})

describe('an error of the server', () => {
  it.each([
    ['/schema/key', 'name'],
    ['/schema/key/tier', 'name'],
    ['/schema/key/default', 'default'],
    ['/schema/key/constraints/minimum', 'minimum'],
    ['/schema/key/constraints/enum/3', 'enum'],
    ['/schema/key/constraints/exclusiveMinimum', 'exclusiveMinimum'],
    ['/schema/key/constraints/const', 'const'],
    ['/schema/key/variants', 'variants'],
    ['/schema/key/variants/1/name', 'variant 1'],
    ['/values/1/value', 'value of env_2'],
    // Of no field: it is shown above the form.
    ['/values/2/value', undefined],
    ['/schema/key/constraints', undefined],
    ['/schema/key/constraints/minLengths', undefined],
    ['/schema/keyOfAnother/default', undefined],
  ])('at %s is shown beside %s', (pointer, field) => {
    expect(toDraftField(pointer, 'key', ['env_1', 'env_2'])).toBe(field)
  })
})

describe('the line for the code', () => {
  it.each([
    [
      { type: 'string', tier: 'public', constraints: { format: 'uri', minLength: 3 } },
      'key: string({ url: true, minLength: 3 }),',
    ],
    [
      { type: 'number', tier: 'public', required: false, targeted: true },
      'key: targeted(optional(number())),',
    ],
    [
      {
        type: 'boolean',
        tier: 'featureFlags',
        default: false,
        variants: [
          { name: 'control', on: false },
          { name: 'v-2', on: true },
        ],
      },
      "key: flag.variants({ control: { on: false }, 'v-2': { on: true } }, { default: false }),",
    ],
    [
      {
        type: 'number',
        tier: 'public',
        default: 250,
        constraints: { type: 'integer', minimum: 1 },
      },
      'key: number({ integer: true, min: 1, default: 250 }),',
    ],
    [
      { type: 'string', tier: 'secret', constraints: { enum: ['a', "b'"] }, description: 'Which' },
      String.raw`key: oneOf(['a', 'b\''], { description: 'Which' }),`,
    ],
    [
      { type: 'boolean', tier: 'featureFlags', default: false },
      'key: boolean({ default: false }),',
    ],
    [
      { type: 'number', tier: 'public', constraints: { multipleOf: 1, exclusiveMinimum: 0 } },
      'key: number({ integer: true, positive: true }),',
    ],
    [
      { type: 'number', tier: 'public', default: 10, constraints: { multipleOf: 5 } },
      "key: fromJsonSchema({ type: 'number', multipleOf: 5, default: 10 }),",
    ],
    [
      { type: 'string', tier: 'public', constraints: { format: 'uuid' }, description: 'Which' },
      "key: fromJsonSchema({ type: 'string', format: 'uuid', description: 'Which' }),",
    ],
    [{ type: 'string', tier: 'public', constraints: { const: 'a' } }, "key: oneOf(['a']),"],
    [
      { type: 'boolean', tier: 'public', constraints: { const: true } },
      "key: fromJsonSchema({ type: 'boolean', const: true }),",
    ],
    [
      {
        type: 'string',
        tier: 'public',
        constraints: { anyOf: [{ minLength: 3 }, { enum: ['a'] }] },
      },
      "key: fromJsonSchema({ type: 'string', anyOf: [{ minLength: 3 }, { enum: ['a'] }] }),",
    ],
    [
      { type: 'string', tier: 'public', constraints: { format: 'password', minLength: 8 } },
      '// Code can’t declare the format password: a push removes it.\nkey: string({ minLength: 8 }),',
    ],
    [{ type: 'string', tier: 'secret', hasDefault: true }, 'key: withStoredDefault(string()),'],
    [
      {
        type: 'string',
        tier: 'public',
        required: false,
        constraints: { pattern: '^a', maxLength: 9 },
      },
      "key: optional(string({ pattern: '^a', maxLength: 9 })),",
    ],
  ] as const)('of %j is %s', (definition, code) => {
    expect(renderDeclaration('key', definition).code).toBe(code)
  })

  it('carries its notes, those of a flag only while it is one, and says them in code', () => {
    const noted = {
      ...freshDraft('featureFlags'),
      name: 'beta',
      owner: ' Growth ',
      tagsText: 'a, b',
      expires: '2027-01-31',
      isKillSwitch: true,
    }
    const read = readDraft(noted, [])
    const notes = { owner: 'Growth', tags: ['a', 'b'], expires: '2027-01-31', killSwitch: true }
    expect(read).toMatchObject({ ok: true, definition: notes })
    expect(read.ok && renderDeclaration('beta', read.definition).code).toBe(
      "beta: boolean({ default: false, owner: 'Growth', tags: ['a', 'b'], expires: '2027-01-31', killSwitch: true }),",
    )
    const other = readDraft(withTier(noted, 'public'), [])
    expect(other).toMatchObject({ ok: true, definition: { owner: 'Growth', tags: ['a', 'b'] } })
    expect(other.ok && Object.keys(other.definition)).not.toContain('expires')
    expect(errorsOf({ ...noted, tagsText: 'a, A' })).toEqual(['tags'])
    expect(errorsOf({ ...noted, owner: 'x'.repeat(101) })).toEqual(['owner'])
    const optional = { type: 'string', tier: 'public', required: false, owner: 'Growth' } as const
    expect(renderDeclaration('k', optional).code).toBe("k: optional(string({ owner: 'Growth' })),")
  })
})
