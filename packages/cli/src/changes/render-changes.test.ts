import { turnOff } from '@signalbox/contract'
import { expect, it } from 'vitest'
import type { ValueChange } from '../api/operations.ts'
import { renderValueChanges } from './render-changes.ts'
import { createLimit } from '../terminal/limit.ts'
import { createStyles } from '../terminal/styles.ts'

const plain = { styles: createStyles(false), limit: createLimit(false) }
const flag = { key: 'beta', tier: 'featureFlags', change: 'changed' } as const
const rules = (percent: number) => [{ when: [], serve: { percent } }]

it.each<[string, Partial<ValueChange>]>([
  ['false → true', { before: false, after: true }],
  ['off → on for 10%', { before: false, after: false, rulesAfter: rules(10) }],
  [
    'on for 10% → on for 20%',
    { before: false, after: false, rulesBefore: rules(10), rulesAfter: rules(20) },
  ],
  ['on for 10% → on', { before: false, after: true, rulesBefore: rules(10) }],
  [
    'on for 10% → off (on for 10% waits)',
    {
      before: false,
      after: false,
      rulesBefore: rules(10),
      rulesAfter: turnOff({ value: false, rules: rules(10) }).rules,
    },
  ],
  ['segment staff changed: on', { before: true, after: true, segments: ['staff'] }],
  ['false → true', { before: false, after: true, rulesBefore: rules(1), rulesAfter: rules(1) }],
  [
    'default false → set to false',
    {
      before: false,
      after: false,
      sourceBefore: { source: 'default' },
      sourceAfter: { source: 'set' },
    },
  ],
])('a change of a flag is told as "%s"', (told, change) => {
  const line = renderValueChanges([{ ...flag, ...change }], plain)
  expect(line.trim().replaceAll(/ {2,}/g, ' ')).toBe(`~ flag beta ${told}`)
})
