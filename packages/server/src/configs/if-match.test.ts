import {
  configSchemaEndpoints,
  configValueEndpoints,
  configVersionEndpoints,
  environmentEndpoints,
  segmentEndpoints,
} from '@signalbox/contract/rest'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { everyWrite, makeWritable, writes, type Write } from './testing/every-write.ts'
import { openConfigApp, type ConfigApp } from './testing/open-config-app.ts'

let opened: ConfigApp
let app: ConfigApp
beforeAll(async () => {
  opened = await openConfigApp()
})
beforeEach(async () => {
  app = await opened.another()
})
afterAll(() => opened.close())

/** Takes the versions of several environments in its body. */
const bySeveral = new Set(['changeConfig', 'restoreConfigVersions'])
const operations = everyWrite.filter((name) => !bySeveral.has(name))
/** Values have been written to three times. */
const current = (name: string) => (/Values|Version/.test(name) ? 4 : 1)

describe('If-Match', () => {
  it('is declared by every write to configuration that is there already', () => {
    const changes = Object.values({
      ...environmentEndpoints,
      ...configSchemaEndpoints,
      ...configValueEndpoints,
      ...configVersionEndpoints,
      replaceSegment: segmentEndpoints.replaceSegment,
    }).filter(({ method, operationId }) => method !== 'GET' && !operationId.startsWith('create'))
    const declared = changes
      .filter(({ problems }) => (problems as readonly string[]).includes('revision_mismatch'))
      .map(({ operationId }) => operationId)
    const all = changes.map(({ operationId }) => operationId)
    expect(declared).toEqual(all)
    expect(operations.toSorted()).toEqual([...all].toSorted())
  })

  it.each(operations)(
    'of %s is compared: 412 for a stale one, done for the present',
    async (name) => {
      const fixture = await makeWritable(app, name)
      const write: Write = writes[name]
      const call = (revision: number) =>
        app.call('admin', write.request(fixture), {
          headers: { 'if-match': `"${revision}"` },
          ...(write.body === undefined ? {} : { body: write.body(fixture) }),
        })
      const stale = await call(current(name) + 1)
      expect(stale.body).toMatchObject({ status: 412, code: 'revision_mismatch' })
      expect((await call(current(name))).status).toBeLessThan(300)
    },
  )

  it('of an environment is in every answer about it, and counts its changes', async () => {
    const created = await app.ok('admin', 'POST /environments', { body: { name: 'counted' } })
    expect(created.headers.get('etag')).toBe('"1"')
    const path = `/environments/${created.body.id}`
    const change = (body: object) => app.ok('admin', `PATCH ${path}`, { body })
    const changed = await change({ production: true })
    expect(changed.body.revision).toBe(2)
    expect(changed.headers.get('etag')).toBe('"2"')
    expect((await change({ production: true })).body.revision).toBe(2)
    const read = await app.ok('viewer', `GET ${path}`)
    expect(read.headers.get('etag')).toBe('"2"')
    expect(read.body).toEqual(changed.body)
  })
})
