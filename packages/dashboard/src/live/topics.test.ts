import { endpoints, liveTopics } from '@signalbox/contract/rest'
import { describe, expect, it } from 'vitest'
import { pathsByTopic, showsTopic } from './topics.ts'

const reads = Object.values(endpoints)
  .filter(({ method }) => method === 'GET')
  .map(({ path }): string => path)
const matrix = { queryKey: ['GET /organizations/{org_id}/config-matrix'] }
const schemas = { queryKey: ['GET /organizations/{org_id}/config-schemas'] }

describe('a topic of the hints', () => {
  it.each(Object.values(pathsByTopic).flat())('means reads that there are: %s', (part) =>
    expect(reads.filter((path) => path.includes(part))).not.toEqual([]),
  )

  it('of values has the matrix read again, and not the schemas, which are as they were', () => {
    expect(showsTopic(matrix, 'configuration')).toBe(true)
    expect(showsTopic(schemas, 'configuration')).toBe(false)
    expect(showsTopic(schemas, 'schema')).toBe(true)
  })

  it.each(['all', 'one that a newer server has'])('means every read when it is %s', (topic) =>
    expect([matrix, schemas].map((query) => showsTopic(query, topic))).toEqual([true, true]),
  )

  it('has its reads, each of them', () =>
    expect(Object.keys(pathsByTopic).toSorted()).toEqual(
      liveTopics.filter((topic) => topic !== 'all').toSorted(),
    ))
})
