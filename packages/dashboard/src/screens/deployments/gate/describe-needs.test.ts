import { expect, it } from 'vitest'
import { describeNeeds } from './describe-needs.ts'

it.each([
  [[], [], ''],
  [['a'], [], 'Needs a key that production lacks: a.'],
  [['a', 'b'], [], 'Needs 2 keys that production lacks: a and b.'],
  [[], ['port'], 'A value of production is invalid for it: port.'],
  [
    ['a'],
    ['port', 'dsn'],
    'Needs a key that production lacks: a. 2 values of production are invalid for it: port and dsn.',
  ],
])(
  'a deployment says what its environment lacks: %j, and refuses: %j',
  (missing, invalid, words) => {
    expect(describeNeeds({ missing, invalid }, 'production')).toBe(words)
  },
)
