import { unprotected } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { findCell } from '../matrix.ts'
import { toStaged, type Edit, type StagedCell } from '../staged.ts'
import { buildKey, buildMatrix, development, own, production } from '../testing/build-matrix.ts'
import type { ChangeSet } from '../use-check.ts'
import { listInherited, toRequired, toReviewGroups } from './review-lines.ts'

const matrix = buildMatrix([
  buildKey('apiUrl', [own('https://a.example'), { source: 'missing' }]),
  buildKey('token', [own(undefined), { source: 'unset' }], { tier: 'secret' }),
])

function buildStaged(environmentId: string, key: string, edit: Edit): StagedCell {
  const cellRef = findCell(matrix, { environmentId, key })
  const change = cellRef && toStaged(cellRef, edit)
  if (change === undefined) throw new Error('Nothing was staged')
  return change
}

const answer: ChangeSet = {
  environments: [
    {
      environmentId: development,
      changes: [{ key: 'apiUrl', tier: 'public', change: 'changed', after: 'the default' }],
      version: null,
      currentVersion: 1,
    },
    {
      environmentId: production,
      changes: [{ key: 'apiUrl', tier: 'public', change: 'added', after: 'the default' }],
      version: null,
      currentVersion: 1,
    },
  ],
  problems: [],
  requires: [],
  personRequired: [],
  conflicts: [],
  undo: null,
}

describe('a review', () => {
  it('says for each change whether it is new, replaces something, or unsets', () => {
    const staged = [
      buildStaged(development, 'apiUrl', { kind: 'unset' }),
      buildStaged(production, 'apiUrl', { kind: 'set', value: 'https://p.example' }),
    ]
    const lines = toReviewGroups(matrix, staged, answer).flatMap((group) => group.lines)
    expect(lines.map(({ effect, before, after }) => [effect, before, after])).toEqual([
      ['unsets', 'https://a.example', 'the default'],
      ['new', undefined, 'https://p.example'],
    ])
  })

  it('has no place for a secret', () => {
    const staged = [
      buildStaged(development, 'token', { kind: 'set', value: 'sk_live_nobody_sees' }),
    ]
    const [line] = toReviewGroups(matrix, staged, undefined).flatMap((group) => group.lines)
    expect(line).toMatchObject({ effect: 'replaces', before: undefined, after: undefined })
  })

  it('names the environments that inherit what is changed', () => {
    const staged = [buildStaged(development, 'apiUrl', { kind: 'unset' })]
    const groups = toReviewGroups(matrix, staged, answer)
    expect(listInherited(matrix, groups, answer)).toEqual([
      { name: 'production', keys: ['apiUrl'] },
    ])
  })

  it('asks for the name of production, and for what the server requires', () => {
    const staged = [buildStaged(production, 'apiUrl', { kind: 'set', value: 'x' })]
    const groups = toReviewGroups(matrix, staged, answer)
    const environment = { environmentId: development, environment: 'development' }
    const requires = [{ ...environment, confirm: true, comment: true, approvals: 2, reasons: [] }]
    expect(toRequired(matrix, groups, { ...answer, requires })).toEqual({
      names: ['development', 'production'],
      comment: true,
      approvals: requires,
    })
  })

  it('asks for what the environment requires before the server has answered', () => {
    const protectedMatrix = {
      ...matrix,
      environments: matrix.environments.map((environment) => ({
        ...environment,
        protection: { ...unprotected, confirm: true, comment: true },
      })),
    }
    const staged = [buildStaged(development, 'apiUrl', { kind: 'set', value: 'x' })]
    const groups = toReviewGroups(protectedMatrix, staged, undefined)
    expect(toRequired(protectedMatrix, groups, undefined)).toEqual({
      names: ['development'],
      comment: true,
      approvals: [],
    })
    // A change that no application notices is not protected, as the server's answer says.
    expect(toRequired(protectedMatrix, groups, { ...answer, requires: [] })).toEqual({
      names: [],
      comment: false,
      approvals: [],
    })
  })
})
