import { expect, it } from 'vitest'
import { diffDefinitions } from './definition-change.ts'
import { fromDefinition } from './full-key.ts'

const withChecks = fromDefinition({ type: 'string', tier: 'public', partial: true })
const without = fromDefinition({ type: 'string', tier: 'public' })

it.each([
  ['gets checks in code', without, withChecks, ['checked in full only by the code']],
  ['loses them', withChecks, without, ['no longer checked by code beyond its constraints']],
  ['keeps them', withChecks, withChecks, undefined],
])('says of a key that %s what the definition does', (_, before, after, differences) => {
  const [change] = diffDefinitions(new Map([['key', before]]), new Map([['key', after]]))
  expect(change).toEqual(differences && { kind: 'changed', key: 'key', before, after, differences })
})
