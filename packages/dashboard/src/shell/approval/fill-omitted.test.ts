import { expect, it } from 'vitest'
import { fillOmitted } from './fill-omitted.ts'

const body = { changes: [{ set: { apiUrl: 'https://a.example', 'a/b~c': 'sk_live' } }] }

it('puts the secrets that were sent back into the operation, and leaves the answer as it is', () => {
  const operation = {
    kind: 'values',
    body: { changes: [{ set: { apiUrl: 'https://a.example', 'a/b~c': null } }] },
  }
  expect(fillOmitted(operation, ['/body/changes/0/set/a~1b~0c'], body)).toEqual({
    kind: 'values',
    body,
  })
  expect(operation.body.changes[0]?.set['a/b~c']).toBeNull()
})

it('leaves a place alone that was not sent', () => {
  const operation = { kind: 'values', body: { changes: [{ set: { other: null } }] } }
  for (const pointer of ['/body/changes/0/set/other', '/body/changes/7/set/x', '/elsewhere', '']) {
    expect(fillOmitted(operation, [pointer], body)).toEqual(operation)
  }
})
