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
      definition: {
        type: 'number',
        tier: 'public',
        required: true,
        default: 250,
        constraints: { minimum: 1, type: 'integer' },
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
    const faultsOf = (change: Partial<KeyDraft>, text: string) => {
      const read = readDraft(draft({ ...change, values: { env_a: text } }), [])
      return read.ok ? [] : [...read.errors.values()]
    }
    const number = { type: 'number', limits: limits({ minimum: '1', maximum: '10' }) } as const
    expect(faultsOf(number, '11')).toEqual(['Give at most 10.'])
    expect(faultsOf(number, '0')).toEqual(['Give at least 1.'])
    expect(faultsOf(number, '10')).toEqual([])
    expect(faultsOf({ type: 'number', isWhole: true }, '2.5')).toEqual(['Give a whole number.'])
    expect(faultsOf({ type: 'number' }, '1e300')).toEqual(['Give a number up to 9007199254740991.'])
    const text = { limits: limits({ minLength: '2', maxLength: '3' }) }
    expect(faultsOf(text, 'a')).toEqual(['Give at least 2 characters.'])
    expect(faultsOf(text, 'abcd')).toEqual(['Give at most 3 characters.'])
    expect(faultsOf(text, '🦊🦊🦊')).toEqual([])
    expect(faultsOf({ limits: limits({ enum: 'red\ngreen' }) }, 'blue')).toEqual([
      'Give one of red, green.',
    ])
  })

  it('loses values that were typed for a secret once it is public, and those of another type', () => {
    const secret = draft({ tier: 'secret', values: { env_a: 'the secret' } })
    expect(withTier(secret, 'public').values).toEqual({})
    expect(withType(draft({ values: { env_a: 'text' } }), 'number').values).toEqual({})
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
    expect(errorsOf(given)).toEqual(['default', 'maximum'])
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
      {
        type: 'string',
        tier: 'public',
        required: false,
        constraints: { pattern: '^a', maxLength: 9 },
      },
      "key: z.string().regex(new RegExp('^a')).max(9).optional(),",
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
    expect(renderDeclaration('k', optional).code).toBe(
      "k: z.string().optional().meta({ owner: 'Growth' }),",
    )
  })
})
