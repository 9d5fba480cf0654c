import { describe, expect, it } from 'vitest'
import { readDraft } from '../add-key/key-draft.ts'
import { listDifferences, mergeKey, toDraft, type ShownKey } from './key-edits.ts'

const keyOf = (part: Partial<ShownKey>): ShownKey => ({
  type: 'string',
  tier: 'public',
  required: true,
  hasDefault: false,
  ...part,
})

/** Returns the key after its form was read, with `change` typed into it. */
function edit(key: ShownKey, change: Partial<ReturnType<typeof toDraft>> = {}): ShownKey {
  const read = readDraft({ ...toDraft('key', key), ...change }, [])
  if (!read.ok) throw new Error([...read.errors].join(' '))
  return mergeKey(key, read.definition)
}

describe('a key that is opened for an edit', () => {
  it.each([
    keyOf({ type: 'number', constraints: { maximum: 10, minimum: 1 } }),
    keyOf({ type: 'number', constraints: { exclusiveMaximum: 10, exclusiveMinimum: 1 } }),
    keyOf({ type: 'number', constraints: { type: 'integer' } }),
    keyOf({ type: 'number', constraints: { multipleOf: 1 } }),
    keyOf({ type: 'number', constraints: { enum: [1, 2.5], format: 'double' } }),
    keyOf({ constraints: { enum: [' a', 'two\nlines'], format: 'uuid' } }),
    keyOf({ constraints: { anyOf: [{ minLength: 3 }, { const: '' }], const: ' x ' } }),
    keyOf({ type: 'boolean', constraints: { enum: [true] } }),
    keyOf({ type: 'boolean', constraints: { const: false } }),
    keyOf({ type: 'number', targeted: true }),
    keyOf({
      type: 'boolean',
      tier: 'featureFlags',
      variants: [
        { name: 'control', on: false },
        { name: 'blue', on: true },
      ],
    }),
  ])('has no difference, and loses nothing: %j', (key) => {
    expect(listDifferences(key, edit(key))).toEqual([])
    const described = edit(key, { description: 'What it is' })
    expect(listDifferences(key, described).map(({ name }) => name)).toEqual(['Description'])
  })

  it('is no longer targeted once it is a secret, which no rule decides', () => {
    expect(edit(keyOf({ targeted: true }), { tier: 'secret' })).not.toHaveProperty('targeted')
  })

  it('keeps values of several lines, and constraints without a field, beside an edited one', () => {
    const key = keyOf({ constraints: { enum: [' a', 'two\nlines'], anyOf: [{ minLength: 1 }] } })
    const draft = toDraft('key', key)
    const edited = edit(key, { limits: { ...draft.limits, maxLength: '20' } })
    expect(edited.constraints).toEqual({
      enum: [' a', 'two\nlines'],
      anyOf: [{ minLength: 1 }],
      maxLength: 20,
    })
  })
})
