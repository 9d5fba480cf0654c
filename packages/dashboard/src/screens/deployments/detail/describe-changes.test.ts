import { expect, it } from 'vitest'
import { describeChanges } from './describe-changes.ts'

it.each([
  [null, [], false, 'No earlier deployment to compare with.'],
  [null, [], true, 'The previous deployment has no recorded configuration.'],
  [1, [], true, 'Unchanged since the previous deployment.'],
  [1, ['a'], true, '1 key changed since the previous deployment.'],
  [1, ['a', 'b'], true, '2 keys changed since the previous deployment.'],
])('describes version %j with changes of %j', (previousVersion, changedKeys, hasPrevious, text) => {
  expect(describeChanges({ previousVersion, changedKeys }, hasPrevious)).toBe(text)
})
