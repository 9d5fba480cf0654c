import { expect, it } from 'vitest'
import { presentChange } from './present-change.ts'

it('a change of a secret shows no value, even where its row has one', () => {
  const change = {
    kind: 'version',
    id: 'ver_1',
    at: new Date('2026-11-25T14:00:00Z'),
    environmentId: 'env_1',
    versionKind: 'write',
    schemaId: 'sch_1',
    schema: 'web',
    version: 2,
    author: { type: 'user', id: 'usr_1', name: 'Ada' },
    comment: null,
    changes: [
      {
        key: 'token',
        tier: 'secret',
        change: 'changed',
        before: 'hidden-old',
        after: 'hidden-new',
      },
      { key: 'theme', tier: 'public', change: 'changed', before: 'light', after: 'dark' },
    ],
    changesTotal: 2,
    isFlip: false,
    previous: null,
    request: null,
  }
  const shown = JSON.stringify(presentChange(change as never))
  expect(shown).not.toContain('hidden')
  expect(shown).toContain('dark')
})
