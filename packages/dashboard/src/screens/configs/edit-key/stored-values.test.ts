import { describe, expect, it } from 'vitest'
import { readDraft, withType } from '../add-key/key-draft.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import { buildKey, buildMatrix, development, own, production } from '../testing/build-matrix.ts'
import { toDraft } from './key-edits.ts'
import { describeValueEdits, listValueEdits, toStoredValues } from './stored-values.ts'
import { toReplaceBody } from './to-replace-body.ts'

const [inherited, missing] = [
  { source: 'inherited', inheritedFrom: development, value: 'the parent' },
  { source: 'missing' },
] as const
type Cells = Parameters<typeof buildKey>[1]
type Change = Parameters<typeof buildKey>[2]

/** Opens the form of a key, types `values` into it, and reads what it sends. */
function open(cells: Cells, values: Readonly<Record<string, string>>, change: Change = {}) {
  const row = buildKey('key', cells, change)
  const matrix = buildMatrix([row])
  const shown = { type: row.type, tier: row.tier, required: true, hasDefault: false } as const
  const draft = { ...toDraft('key', shown), values }
  const stored = toStoredValues(matrix, row, draft)
  const edits = listValueEdits(stored, draft, readDraft(draft, []))
  const words = describeValueEdits(matrix, stored, edits, row.tier === 'secret')
  return {
    draft,
    row,
    stored,
    edits,
    words: words.map(({ name, before, after }) => `${name}: ${before} → ${after}`),
  }
}

describe('the values of a key that is edited', () => {
  it('are those that each environment sets itself, and the others are named', () => {
    const { stored } = open([own('mine'), inherited], {})
    expect(stored.get(development)).toMatchObject({ text: 'mine' })
    expect(stored.get(production)).toMatchObject({
      text: undefined,
      emptyText: 'inherits the parent from development',
    })
  })

  it('are set where another one was typed, removed where the field was emptied, and else stay', () => {
    const cells = [own('mine'), missing]
    expect(open(cells, {}).edits).toEqual([])
    expect(open(cells, { [development]: 'mine', [production]: '' }).edits).toEqual([])
    expect(open(cells, { [development]: '', [production]: 'new' })).toMatchObject({
      edits: [
        { environmentId: development, value: undefined },
        { environmentId: production, value: 'new' },
      ],
      words: [
        'Value in development: mine → no value of its own',
        'Value in production: no value → new',
      ],
    })
    expect(open([own(''), missing], { [development]: '' }).edits).toEqual([])
  })

  it('are never shown nor removed when they are secrets', () => {
    const secret = { tier: 'secret' } as const
    expect(open([own(undefined), missing], { [development]: '' }, secret).edits).toEqual([])
    const typed = open([own(undefined), missing], { [development]: 'the new secret' }, secret)
    expect(typed.edits).toEqual([{ environmentId: development, value: 'the new secret' }])
    expect(typed.words).toEqual([
      'Value in development: a secret value (hidden) → a new secret value (hidden)',
    ])
    expect(typed.stored.get(development)).toMatchObject({ text: undefined })
  })

  it('say which rules of a flag go with its value, and which stay', () => {
    const when = [{ attribute: 'plan', operator: 'equals' as const, value: 'pro' }]
    const rules = [
      { when, serve: true },
      { when: [], serve: { percent: 10 } },
    ]
    const flag = { tier: 'featureFlags', type: 'boolean' } as const
    const parent = { source: 'inherited', inheritedFrom: development, value: false, rules } as const
    const cells = [{ ...own(false), rules: rules.slice(0, 1) }, parent]
    const shown = open(cells, { [development]: '' }, flag)
    expect(shown.words).toEqual([
      'Value in development: on where plan is pro → no value of its own. This also removes its rule: On where plan is pro',
    ])
    expect(shown.stored.get(production)?.emptyText).toMatch(
      /^inherits on .*10%.* from development$/,
    )
    const both = open([{ ...own(false), rules }, parent], { [development]: '' }, flag)
    expect(both.words).toEqual([
      expect.stringMatching(/ also removes its rules: On where plan is pro; On for 10%/),
    ])
    const changed = open(cells, { [development]: 'true' }, flag)
    expect(changed.words).toEqual([expect.stringMatching(/plan is pro/)])
  })

  it('are left alone by another type until one is typed', () => {
    const { draft, row } = open([own('mine'), missing], {})
    const asNumber = withType(draft, 'number')
    const stored = toStoredValues(buildMatrix([row]), row, asNumber)
    expect(stored.get(development)).toMatchObject({ text: undefined, emptyText: 'keeps mine' })
    expect(listValueEdits(stored, asNumber, readDraft(asNumber, []))).toEqual([])
  })

  it('are sent with the definition', () => {
    const key = { type: 'string', tier: 'public', required: true, hasDefault: false } as const
    const schema: Pick<ConfigSchema, 'schema'> = { schema: { other: key, key } }
    const { edits } = open([own('mine'), missing], { [development]: '', [production]: 'new' })
    const confirmation = { confirm: [], comment: '' }
    const body = toReplaceBody(schema, { name: 'key', key, values: edits, confirmation })
    expect(Object.keys(body.schema)).toEqual(['other', 'key'])
    expect(body.values).toEqual([
      { environmentId: development, set: {}, unset: ['key'] },
      { environmentId: production, set: { key: 'new' } },
    ])
  })
})
