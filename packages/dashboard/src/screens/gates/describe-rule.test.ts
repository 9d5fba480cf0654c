import type { GateRule } from '@signalbox/contract/rest'
import { expect, it } from 'vitest'
import { describeRule } from './describe-rule.ts'

const names = {
  environment: (id: string) => id.slice(4),
  member: (id: string) => id.slice(4),
}
const window = { days: ['fri', 'sat'], from: '18:00', to: '08:00', zone: 'Europe/Berlin' } as const
const staging = { environmentId: 'env_staging' }

const rules: readonly (readonly [GateRule, string])[] = [
  [{ rule: 'configuration' }, 'Every required key of the commit has a valid value.'],
  [
    { rule: 'tests', ...staging, withinHours: 6 },
    'Tests of the same commit passed in staging within 6 hours.',
  ],
  [
    { rule: 'tests', ...staging, withinHours: 24 },
    'Tests of the same commit passed in staging within a day.',
  ],
  [
    { rule: 'tests', ...staging, withinHours: 72 },
    'Tests of the same commit passed in staging within 3 days.',
  ],
  [
    { rule: 'soak', ...staging, minutes: 90 },
    'The same commit has been live in staging for 1 h 30 min.',
  ],
  [
    { rule: 'freeze', windows: [{ ...window, days: [...window.days] }], exceptHotfix: true },
    'No freeze is on: Friday and Saturday from 18:00 to 08:00 on the next day (Europe/Berlin). A branch or tag that begins with hotfix goes on anyway.',
  ],
  [
    {
      rule: 'freeze',
      windows: [
        {
          days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
          from: '00:00',
          to: '06:00',
          zone: 'UTC',
        },
        { ...window, days: ['sun'], to: '20:00' },
      ],
      exceptHotfix: false,
    },
    'No freeze is on: every day from 00:00 to 06:00 (UTC); Sunday from 18:00 to 20:00 (Europe/Berlin).',
  ],
  [{ rule: 'issues' }, 'The issues of the deployment are done.'],
  [
    { rule: 'quiet' },
    'No change of values there is being watched, and nothing there has just failed.',
  ],
  [
    { rule: 'approvals', count: 2, members: [] },
    '2 people approve it, of those who may change values there.',
  ],
  [
    { rule: 'approvals', count: 1, members: ['usr_Ada', 'usr_Grace'] },
    '1 person approves it: Ada or Grace.',
  ],
]

it.each(rules)('a rule is one sentence: %j', (rule, sentence) => {
  expect(describeRule(rule, names)).toBe(sentence)
})
