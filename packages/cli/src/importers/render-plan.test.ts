import type { ImportPlan, PlannedKey } from '@signalbox/contract/rest'
import { expect, it } from 'vitest'
import { createLimit } from '../terminal/limit.ts'
import { renderPlan } from './render-plan.ts'

const empty = {
  code: 'ENV-V001',
  severity: 'medium',
  cause: 'The value is empty.',
  done: 'It is left out.',
} as const

const keyOf = (key: string, said: Partial<PlannedKey>): PlannedKey => ({
  key,
  from: key,
  verdict: 'left out',
  action: 'none',
  environments: [],
  issues: [],
  problems: [],
  ...said,
})

const counts: ImportPlan['counts'] = {
  exact: 1,
  differs: 0,
  leftOut: 3,
  create: 1,
  update: 0,
  unchanged: 0,
  skip: 0,
  failed: 0,
}

it('says once what is the same for many keys, and of each other key in its place', () => {
  const keys = [
    keyOf('A', { issues: [empty] }),
    keyOf('B', { verdict: 'exact', action: 'create' }),
    keyOf('c', { from: 'C', issues: [empty] }),
    keyOf('D', { issues: [empty], variable: 'd' }),
    keyOf('E', { verdict: 'exact', action: 'create' }),
  ]
  const plan = { schemaId: null, schema: 'web', dryRun: true, keys, counts, requires: [] }
  expect(renderPlan(plan, createLimit(false)).slice(0, -2)).toEqual([
    'A, c (C)  left out',
    '  MEDIUM ENV-V001 The value is empty. It is left out.',
    'B  exact, new, value missing',
    'D  left out, variable d',
    '  MEDIUM ENV-V001 The value is empty. It is left out.',
    'E  exact, new, value missing',
  ])
})

it('shows 20 keys without issues of each kind, the number of the others, and every key with an issue', () => {
  const keys = Array.from({ length: 100 }, (_, at) => [
    keyOf(`new${at}`, { verdict: 'exact', action: 'create' }),
    keyOf(`odd${at}`, { issues: [{ ...empty, cause: `Cause ${at}.` }] }),
    keyOf(`empty${at}`, { issues: [empty] }),
  ]).flat()
  const plan = { schemaId: null, schema: 'web', dryRun: true, keys, counts, requires: [] }
  const lines = renderPlan(plan, createLimit(false))
  expect(lines.filter((line) => line.startsWith('new'))).toHaveLength(20)
  expect(lines).toContain('… and 80 more exact, new, value missing (--verbose shows all)')
  expect(lines.filter((line) => line.startsWith('odd'))).toHaveLength(100)
  expect(lines.find((line) => line.startsWith('empty'))).toMatch(
    /^empty0, .*, empty19, … and 80 more /,
  )
  expect(renderPlan(plan, createLimit(true)).join('\n')).not.toContain('more')
})
