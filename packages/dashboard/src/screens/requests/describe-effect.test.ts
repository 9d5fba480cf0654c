import { defaultProof, unprotected } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { describeSecret, describeWhole, listNotes } from './describe-effect.ts'

const secret = (mark: string | undefined) => ({ secret: true as const, ...(mark && { mark }) })
const nameOf = () => 'api-errors'
const changed = (environment: string, before: string | undefined, after: string | undefined) => ({
  environment,
  before: secret(before),
  after: secret(after),
})

describe('a secret', () => {
  it('is compared by its mark with those of the other environments', () => {
    const production = changed('production', 'm1', 'm2')
    const all = [production, changed('staging', 'm2', 'm3'), changed('development', 'm4', 'm5')]
    expect(describeSecret(production, all)).toBe('A secret changes: the same value as in staging.')
    expect(describeSecret({ ...production, after: secret('m9') }, all)).toBe('A secret changes.')
  })

  it('without a mark is the same as no other, also as one without a mark', () => {
    const production = changed('production', undefined, undefined)
    expect(describeSecret(production, [production, changed('staging', undefined, undefined)])).toBe(
      'A secret changes.',
    )
  })

  it('that begins or ends says so', () => {
    const { after } = changed('production', 'm1', 'm2')
    expect(describeSecret({ environment: 'production', before: null, after }, [])).toContain(
      'first',
    )
    expect(describeSecret({ environment: 'production', before: after, after: null }, [])).toContain(
      'removed',
    )
  })
})

it('an environment or a schema as a whole is renamed, deleted or less protected', () => {
  const whole = { key: null, schema: null, environment: 'production' }
  const named = (name: string) => ({ name })
  expect(describeWhole({ ...whole, before: named('a'), after: named('b') }, nameOf)).toEqual([
    expect.stringContaining('renamed from a to b'),
  ])
  expect(describeWhole({ ...whole, before: named('a'), after: null }, nameOf)).toEqual([
    expect.stringContaining('deleted'),
  ])
  const signal = { id: 'sig_1', name: 'api-errors', spec: 'up: bad below 1' }
  const weaker = { ...signal, spec: 'up: bad below 0' }
  const change = { ...whole, before: { signal }, after: { signal: weaker } }
  expect(describeWhole(change, nameOf)).toEqual([
    'The signal api-errors: up: bad below 1 → up: bad below 0',
  ])
  const hidden = { ...change, after: { signal: { ...signal, spec: null } } }
  expect(describeWhole(hidden, nameOf)).toEqual(['The signal api-errors is changed.'])
  const prove = { ...defaultProof, signals: ['sig_1'] }
  const before = { parent: 'staging', protection: { ...unprotected, approvals: 2, prove } }
  const after = { parent: null, protection: { ...unprotected, override: 'nobody' as const } }
  expect(describeWhole({ ...whole, before, after }, nameOf)).toEqual([
    'Inherits from: staging → nothing',
    'Approvals: 2 → 0',
    'Who may apply without approvals: admin → nobody',
    'Watching every change: for 15 min by api-errors; 3 of 5 bad readings; missing data: hold; then Signalbox takes the change back → no',
  ])
})

it('a value says what cannot be seen in it: its source, an earlier time, and changed segments', () => {
  const inherited = { source: 'inherited' as const, environment: 'production' }
  expect(
    listNotes({ after: { value: 1 }, source: inherited, returns: true, segments: ['staff'] }),
  ).toEqual([
    'The rules stay. Who is in staff changes.',
    'This value is stored from an earlier time, and comes back.',
    'It is inherited from production.',
  ])
  expect(listNotes({ after: { value: 1 }, source: { source: 'set' } })).toEqual([])
})
