import { expect, it } from 'vitest'
import { findRecentReaders, type ReadingKey } from './recent-readers.ts'

const now = Date.parse('2026-11-29T12:00:00Z')
const key = (name: string, more: Partial<ReadingKey> = {}): ReadingKey => ({
  id: name,
  name,
  kind: 'm2m',
  state: 'active',
  environmentIds: null,
  schemaIds: null,
  lastUsedAt: '2026-11-29T11:00:00.000Z',
  ...more,
})
const keys = [
  key('older', { lastUsedAt: '2026-11-01T11:00:00.000Z' }),
  key('pages', { kind: 'b2m', environmentIds: ['env_1', 'env_2'] }),
  key('never', { lastUsedAt: null }),
  key('long ago', { lastUsedAt: '2026-10-01T11:00:00.000Z' }),
  key('elsewhere', { environmentIds: ['env_2'], schemaIds: ['sch_2'] }),
  key('revoked', { state: 'revoked' }),
  key('relay', { kind: 'rly', environmentIds: ['env_1'] }),
]

it.each([
  [{ environmentId: 'env_1' }, ['pages', 'older']],
  [{ schemaId: 'sch_1' }, ['pages', 'older']],
  [{ schemaId: 'sch_2' }, ['pages', 'elsewhere', 'older']],
])(
  'the recent readers of %j are the keys that may read it and do, the latest first',
  (of, names) => {
    expect(findRecentReaders(keys, of, now).map(({ name }) => name)).toEqual(names)
  },
)
