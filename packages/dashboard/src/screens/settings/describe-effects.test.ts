import { expect, it } from 'vitest'
import { describeEffects, joinNames } from './describe-effects.ts'

const none = { withoutSecondFactor: [], longTokens: [], longKeys: [], assistants: [] }
const ada = { userId: 'usr_1', name: 'Ada', email: 'ada@example.com', role: 'admin' as const }

it('says whom policies keep out by name, and nothing where they keep nobody out', () => {
  const effects = { ...none, withoutSecondFactor: [ada, { ...ada, name: 'Ben' }] }
  expect(describeEffects({ secondFactorRequired: true, effects })).toEqual([
    'No second factor: Ada and Ben. They reach nothing here until they turn one on.',
  ])
  expect(describeEffects({ secondFactorRequired: false, effects })).toEqual([])
  expect(describeEffects({ secondFactorRequired: true, effects: none })).toEqual([])
})

it('tells keys that go on from tokens and assistants that do not', () => {
  const assistant = { id: 'key_1', name: 'laptop', clientHost: null, memberName: 'Ada' }
  const effects = {
    ...none,
    longTokens: [{ userId: 'usr_1', name: 'Ada', tokens: 2 }],
    longKeys: [{ id: 'key_2', name: 'web', expiresAt: null }],
    assistants: [
      { ...assistant, scope: null },
      { ...assistant, clientHost: 'claude.ai', scope: 'read' as const },
    ],
  }
  expect(describeEffects({ secondFactorRequired: false, effects })).toEqual([
    'Personal access tokens that work for longer: those of Ada (2). They no longer reach this organization.',
    'API keys that end later: web. They go on: change their end, or rotate to new keys.',
    'Assistants that are kept out: laptop of Ada.',
    'Assistants that only read and propose from now on: claude.ai of Ada.',
  ])
})

it('names as many as a person reads', () => {
  expect(joinNames(['Ada'])).toBe('Ada')
  expect(joinNames(['Ada', 'Ben', 'Cy'])).toBe('Ada, Ben and Cy')
  expect(joinNames(['Ada', 'Ben', 'Cy'], 2)).toBe('Ada, Ben and 1 more')
})
