import { describe, expect, it } from 'vitest'
import { buildKey, buildMatrix, development, own, production } from '../testing/build-matrix.ts'
import { readProposal } from './read-proposal.ts'

const matrix = buildMatrix([
  buildKey('theme', [own('dark'), own('dark')]),
  buildKey('beta', [own(false), own(false)], { tier: 'featureFlags', type: 'boolean' }),
  buildKey('password', [own(undefined), own(undefined)], { tier: 'secret' }),
])

const fragmentOf = (changes: unknown) =>
  `#proposal=${Buffer.from(JSON.stringify({ changes })).toString('base64url')}`

describe('a proposal in an address', () => {
  it('becomes the changes of the cells that differ', () => {
    const rules = [{ when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }], serve: true }]
    const staged = readProposal(
      matrix,
      fragmentOf([
        { environmentId: production, set: { theme: 'hell ☀', beta: true }, rules: { beta: rules } },
        { environmentId: development, unset: ['theme'], set: { beta: false } },
      ]),
    )
    expect(staged).toMatchObject([
      { environmentId: production, key: 'theme', edit: { kind: 'set', value: 'hell ☀' } },
      { environmentId: production, key: 'beta', edit: { kind: 'set', value: true, rules } },
      { environmentId: development, key: 'theme', edit: { kind: 'unset' } },
    ])
  })

  it('turns a flag as a press on its kill switch does, and no other key', () => {
    const changes = [{ environmentId: production, turn: { beta: 'off', theme: 'off', gone: 'on' } }]
    expect(readProposal(matrix, fragmentOf(changes))).toMatchObject([
      { key: 'beta', edit: { value: false, rules: [{ when: [], serve: false, aside: 'off' }] } },
    ])
  })

  it('keeps the rules with a share, and the product that assigned it', () => {
    const deal = { as: 'launchdarkly', key: 'checkout.abc' }
    const share = { attribute: 'targetingKey', operator: 'share', percent: 10, deal }
    const rules = [{ when: [share], serve: true }]
    const changes = [{ environmentId: production, set: { beta: true }, rules: { beta: rules } }]
    const [staged] = readProposal(matrix, fragmentOf(changes)) ?? []
    expect(staged?.edit).toEqual({ kind: 'set', value: true, rules })
  })

  it('never holds a secret, an unknown key or a value of another type', () => {
    const set = { password: 'mine', unknown: 'x', beta: 'yes', theme: { a: 1 } }
    const changes = [{ environmentId: production, set, unset: ['password'] }]
    expect(readProposal(matrix, fragmentOf(changes))).toEqual([])
  })

  it('stages no value without its rules: those that nothing could show leave the flag as it is', () => {
    const faulty = [5, [{}], [{ when: [{}], serve: true }], [{ when: [], serve: 'x' }], null]
    for (const rules of faulty) {
      const set = { beta: true, theme: 'light' }
      const changes = [{ environmentId: production, set, rules: { beta: rules } }]
      expect(readProposal(matrix, fragmentOf(changes))).toMatchObject([{ key: 'theme' }])
    }
  })

  it('keeps a rule for a share of the contexts', () => {
    const share = { attribute: 'targetingKey', operator: 'share', percent: 10 }
    const rules = { beta: [{ when: [share], serve: true }] }
    const [staged] = readProposal(matrix, fragmentOf([{ environmentId: production, rules }])) ?? []
    expect(staged?.edit).toEqual({ kind: 'set', value: false, rules: rules.beta })
  })

  it.each([
    '#proposal=',
    '#proposal=%%%',
    '#proposal=bnVsbA',
    fragmentOf(5),
    fragmentOf([null, 5]),
  ])('is empty when it is none: %s', (fragment) => {
    expect(readProposal(matrix, fragment)).toEqual([])
  })

  it('is absent in other addresses', () => {
    expect(readProposal(matrix, '')).toBeUndefined()
    expect(readProposal(matrix, '#token=x')).toBeUndefined()
  })
})
