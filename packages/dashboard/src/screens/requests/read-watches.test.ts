import { defaultProof, unprotected } from '@signalbox/contract'
import { expect, it } from 'vitest'
import { describeRequestWatches, readProve } from './read-watches.ts'

const own = { ...defaultProof, signals: ['sig_2'], minutes: 30 }
const environment = (id: string, prove: typeof own | null) => ({
  id,
  name: id,
  protection: { ...unprotected, approvers: { roles: [] }, prove },
})
const nameOf = (id: string) => ({ sig_1: 'api-errors', sig_2: 'e2e' })[id] ?? id
const policy = { ...own, signals: ['sig_1'], minutes: 15 }
const production = environment('production', policy)
const all = [production, environment('dev', null)]
const changes = (environmentId: string, key: string | null = 'limit') => ({ environmentId, key })

it('a request says how its values are watched: by the environment, by itself, or by both', () => {
  const plain = { operation: { kind: 'values', body: {} }, effects: [changes('production')] }
  expect(describeRequestWatches(plain, all, nameOf)).toEqual([
    'Watched for 15 min by api-errors. If it fails, Signalbox takes the change back.',
  ])
  const both = { ...plain, operation: { kind: 'values', body: { prove: own } } }
  expect(describeRequestWatches(both, all, nameOf)).toEqual([
    'Watched for 30 min by api-errors and e2e. If it fails, Signalbox takes the change back.',
  ])
  expect(describeRequestWatches({ ...both, effects: [changes('dev')] }, all, nameOf)).toEqual([
    'Watched for 30 min by e2e. If it fails, Signalbox takes the change back.',
  ])
})

it('a request that changes no values is not watched', () => {
  const policyChange = {
    operation: { kind: 'environment' },
    effects: [changes('production', null)],
  }
  expect(describeRequestWatches(policyChange, all, nameOf)).toEqual([])
})

it('of several operations, each member is that of the stricter one', () => {
  const operations = [{ body: { prove: own } }, { body: {} }, { body: { prove: policy } }]
  expect(readProve({ kind: 'apply', operations })).toEqual({
    ...own,
    signals: ['sig_2', 'sig_1'],
  })
  expect(readProve({ kind: 'delete', path: '/segments/staff' })).toBeNull()
})
