import { expect, it } from 'vitest'
import { toRestores } from './to-restores.ts'

it('a restore expects the versions that its preview has shown', () => {
  expect(toRestores(['ver_1', 'ver_2'], ['a'])).toEqual([
    { versionId: 'ver_1', keys: ['a'] },
    { versionId: 'ver_2', keys: ['a'] },
  ])
  const environments = [{ currentVersion: 7 }, { currentVersion: 3 }, { currentVersion: 9 }]
  expect(toRestores(['ver_1', 'ver_2'], undefined, { environments })).toEqual([
    { versionId: 'ver_1', expectedVersion: 7 },
    { versionId: 'ver_2', expectedVersion: 3 },
  ])
})
