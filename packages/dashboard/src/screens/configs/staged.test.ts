import { describe, expect, it } from 'vitest'
import { findCell, type Matrix } from './matrix.ts'
import { readStored, toStored } from './staged-storage.ts'
import { findOvertaken, keepMine, rulesOf, toChanges, toStaged, type Edit } from './staged.ts'
import { buildKey, buildMatrix, development, own, production } from './testing/build-matrix.ts'

const before = buildMatrix([
  buildKey('apiUrl', [own('https://a.example'), { source: 'missing' }]),
  buildKey('token', [own(undefined), { source: 'unset' }], { tier: 'secret' }),
])

function buildStaged(matrix: Matrix, environmentId: string, key: string, edit: Edit) {
  const cellRef = findCell(matrix, { environmentId, key })
  if (cellRef === undefined) throw new Error(`There is no ${key}`)
  return { cellRef, change: toStaged(cellRef, edit) }
}

const set = (value: string): Edit => ({ kind: 'set', value })

describe('a staged change', () => {
  it('is none when the environment holds the same value itself', () => {
    expect(
      buildStaged(before, development, 'apiUrl', set('https://a.example')).change,
    ).toBeUndefined()
    expect(
      buildStaged(before, development, 'apiUrl', set('https://b.example')).change,
    ).toBeDefined()
  })

  it('of a secret is one whatever it is, as nobody knows what is there', () => {
    expect(buildStaged(before, development, 'token', set('any')).change?.secret).toBe(true)
  })

  it('unsets only what is set', () => {
    expect(buildStaged(before, production, 'apiUrl', { kind: 'unset' }).change).toBeUndefined()
    expect(buildStaged(before, development, 'apiUrl', { kind: 'unset' }).change).toBeDefined()
  })

  it('becomes one request, on the version that each environment is shown at', () => {
    const changes = [
      buildStaged(before, development, 'apiUrl', { kind: 'unset' }).change,
      buildStaged(before, production, 'apiUrl', set('https://p.example')).change,
    ].flatMap((change) => change ?? [])
    expect(toChanges(before.environments, changes)).toEqual([
      { environmentId: development, expectedVersion: 4, set: {}, unset: ['apiUrl'] },
      {
        environmentId: production,
        expectedVersion: 4,
        set: { apiUrl: 'https://p.example' },
        unset: [],
      },
    ])
  })
})

describe('what somebody else saves', () => {
  const mine = buildStaged(before, development, 'apiUrl', set('https://mine.example')).change
  const later = '2026-11-21T06:00:09.000Z'

  it('overtakes a change of the same cell, until one says to keep it', () => {
    if (mine === undefined) throw new Error('Nothing was staged')
    const after = buildMatrix([
      buildKey('apiUrl', [own('https://theirs.example', later), { source: 'missing' }]),
    ])
    expect(findOvertaken(after, [mine])).toEqual([mine])
    const cellRef = findCell(after, mine)
    if (cellRef === undefined) throw new Error('The cell is gone')
    expect(findOvertaken(after, [keepMine(mine, cellRef)])).toEqual([])
  })

  it('does not where it is another cell, or the same value once more', () => {
    if (mine === undefined) throw new Error('Nothing was staged')
    const after = buildMatrix([
      buildKey('apiUrl', [own('https://a.example', later), own('https://p.example')]),
    ])
    expect(findOvertaken(after, [mine])).toEqual([])
  })

  it('overtakes a secret when it was set again', () => {
    const { change } = buildStaged(before, development, 'token', set('mine'))
    if (change === undefined) throw new Error('Nothing was staged')
    const after = buildMatrix([
      buildKey('token', [own(undefined, later), { source: 'unset' }], { tier: 'secret' }),
    ])
    expect(findOvertaken(after, [change])).toEqual([change])
  })
})

describe('what is kept over a reload', () => {
  const open = buildStaged(before, development, 'apiUrl', set('https://b.example')).change
  const secret = buildStaged(before, development, 'token', set('sk_live_nobody_sees')).change
  const unset = buildStaged(before, development, 'token', { kind: 'unset' }).change
  const all = [open, secret].flatMap((change) => change ?? [])

  it('holds no secret, and says how many are lost', () => {
    const text = toStored(all)
    expect(text).not.toContain('sk_live_nobody_sees')
    expect(readStored(text)).toEqual({ changes: [open], lostSecrets: 1 })
  })

  it('holds that a secret is to be unset', () => {
    const changes = unset === undefined ? [] : [unset]
    expect(readStored(toStored(changes))).toEqual({ changes, lostSecrets: 0 })
  })

  it.each([null, '', '{', '[]', '{"changes":[{"key":1}]}', '{"changes":"x"}'])(
    'is nothing when it is %j',
    (text) => {
      expect(readStored(text)).toEqual({ changes: [], lostSecrets: 0 })
    },
  )
})

describe('a staged change of rules', () => {
  const rules = [{ when: [], serve: { percent: 10 } }]
  const flags = buildMatrix([
    buildKey(
      'beta',
      [
        { ...own(false), rules },
        { source: 'inherited', value: false, rules },
      ],
      {
        tier: 'featureFlags',
        type: 'boolean',
      },
    ),
  ])
  const buildChange = (environmentId: string, edit: Edit) =>
    buildStaged(flags, environmentId, 'beta', edit)

  it('is none when the environment holds the same value and rules itself', () => {
    expect(buildChange(development, { kind: 'set', value: false, rules }).change).toBeUndefined()
    expect(buildChange(development, { kind: 'set', value: false, rules: [] }).change).toBeDefined()
    expect(buildChange(production, { kind: 'set', value: false, rules }).change).toBeDefined()
  })

  it('becomes rules of the request, where some were staged', () => {
    const changes = [
      buildChange(development, { kind: 'set', value: true }).change,
      buildChange(production, { kind: 'set', value: false, rules }).change,
    ].flatMap((change) => change ?? [])
    const [first, second] = toChanges(flags.environments, changes)
    expect(first).not.toHaveProperty('rules')
    expect(second).toMatchObject({ set: { beta: false }, rules: { beta: rules } })
  })

  it('shows the rules that will hold: own ones stay, those of a parent do not', () => {
    const on: Edit = { kind: 'set', value: true }
    const [own, inherited] = [buildChange(development, on), buildChange(production, on)]
    expect(rulesOf(own.change, own.cellRef)).toEqual(rules)
    expect(rulesOf(inherited.change, inherited.cellRef)).toEqual([])
    expect(rulesOf(undefined, inherited.cellRef)).toEqual(rules)
  })

  it('is overtaken by other rules of somebody else, and not by the same', () => {
    const { change } = buildChange(development, { kind: 'set', value: false, rules: [] })
    const saved = (now: typeof rules) =>
      buildMatrix([buildKey('beta', [{ ...own(false), rules: now }], { tier: 'featureFlags' })])
    const isOvertaken = (now: typeof rules) =>
      findOvertaken(saved(now), change === undefined ? [] : [change]).length > 0
    expect(isOvertaken([{ when: [], serve: { percent: 20 } }])).toBe(true)
    expect(isOvertaken([])).toBe(false)
    expect(isOvertaken(rules)).toBe(false)
  })

  it('outlasts a reload, and nothing that is no rule does', () => {
    const { change } = buildChange(development, { kind: 'set', value: false, rules: [] })
    const stored = toStored(change === undefined ? [] : [change])
    expect(readStored(stored).changes).toEqual([change])
    expect(readStored(stored.replace('"rules":[]', '"rules":[7]')).changes).toEqual([])
  })
})
