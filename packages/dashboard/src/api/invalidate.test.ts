import { endpoints, topics, type EndpointShape } from '@signalbox/contract/rest'
import { QueryClient } from '@tanstack/react-query'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { noteFollowing, refreshAfterWrite, showsTopic } from './invalidate.ts'
import { topicsByRoute } from './topics-by-route.ts'

const matrix = 'GET /organizations/{org_id}/config-matrix'
const schemas = 'GET /organizations/{org_id}/config-schemas'
const show = (route: string) => ({ queryKey: [route, {}] })

/** Lists the reads of the dashboard, from its sources. */
const sources = join(import.meta.dirname, '..')
const read = new Set(
  globSync('**/*.{ts,tsx}', { cwd: sources, exclude: (name) => name.includes('.test.') })
    .flatMap((path) => [...readFileSync(join(sources, path), 'utf8').matchAll(/'(GET \/[^']*)'/g)])
    .map(([, route = '']) => route),
)
const declared: readonly EndpointShape[] = Object.values(endpoints)
const reads = declared.filter(({ method, path }) => read.has(`${method} ${path}`))

/** Reads that nothing makes stale: a file, what is good once, and settings that change with a start. */
const neverStale = [
  'authorizeIntegration',
  'exportAuditEvents',
  'getApplicationManifest',
  'getSignInOptions',
]
const withoutTopics = (shapes: readonly Pick<EndpointShape, 'operationId' | 'topics'>[]) =>
  shapes.filter((shape) => shape.topics.length === 0).map(({ operationId }) => operationId)
const withoutReads = (shapes: readonly Pick<EndpointShape, 'topics'>[]) =>
  topics.filter((topic) => !shapes.some((shape) => shape.topics.includes(topic)))

describe('what the dashboard reads', () => {
  it('has topics that make it stale, and each topic has a read', () => {
    expect(reads.length).toBeGreaterThan(40)
    expect(withoutTopics(reads).toSorted()).toEqual(neverStale)
    expect(withoutReads(reads)).toEqual([])
  })

  it('control: a read without a topic is found, and a topic without a read', () => {
    const broken = reads.map((shape) =>
      shape.operationId === 'listFailedJobs' ? { ...shape, topics: [] } : shape,
    )
    expect(withoutTopics(broken)).toContain('listFailedJobs')
    const unread = reads.filter((shape) => !shape.topics.includes('webhook_delivery'))
    expect(withoutReads(unread)).toEqual(['webhook_delivery'])
  })

  it('is read again by a topic of its own, and by one that a newer server has', () => {
    expect(showsTopic(show(matrix), 'configuration')).toBe(true)
    expect(showsTopic(show(schemas), 'configuration')).toBe(false)
    expect(showsTopic(show(schemas), 'schema')).toBe(true)
    for (const topic of ['all', 'one that a newer server has']) {
      expect([matrix, schemas].map((route) => showsTopic(show(route), topic))).toEqual([true, true])
    }
  })
})

describe('a write of the dashboard', () => {
  afterEach(() => noteFollowing(false))

  /** Returns the reads that a write of values makes stale. */
  async function staleAfterWrite(): Promise<unknown[]> {
    const client = new QueryClient()
    for (const route of [matrix, schemas]) client.setQueryData(show(route).queryKey, {})
    await refreshAfterWrite(client, 'PUT /organizations/{org_id}/config-values')
    const queries = client.getQueryCache().getAll()
    return queries.filter(({ state }) => state.isInvalidated).map(({ queryKey }) => queryKey[0])
  }

  it('refreshes what it changes and nothing else, while the server tells of the rest', async () => {
    noteFollowing(true)
    expect(await staleAfterWrite()).toEqual([matrix])
  })

  it('refreshes everything while the stream is lost', async () => {
    expect(await staleAfterWrite()).toEqual([matrix, schemas])
  })

  it('names a topic that some read shows, each of them, or says that it has none', () => {
    const written = declared
      .filter(({ method }) => method !== 'GET')
      .flatMap((shape) => shape.topics)
    const shown = new Set(reads.flatMap((shape) => shape.topics))
    expect(written.filter((topic) => !shown.has(topic))).toEqual([])
    expect(Object.keys(topicsByRoute)).toHaveLength(declared.length)
  })
})
