import { describe, expect, it } from 'vitest'
import { isDeliveryPath, parseTarget as read } from './target.ts'

describe('delivery paths', () => {
  it('are distinguished from paths of the API with the same prefix', () => {
    for (const url of [
      '/snapshots/a/b',
      '/snapshots/',
      '/organizations/acme/config/values?x=1',
      '/organizations/acme/config',
      '/organizations/acme/config?x',
    ]) {
      expect([url, isDeliveryPath(url)]).toEqual([url, true])
    }
    for (const url of [
      '/',
      '/snapshots',
      '/snapshotsx/a/b',
      '/organizations/acme/config-values',
      '/organizations/acme/config-schemas/sch_1',
      '/organizations/acme/environments?x=/config/values',
      '/organizations/a/b/config/values',
    ]) {
      expect([url, isDeliveryPath(url)]).toEqual([url, false])
    }
  })

  it('are split into their parts', () => {
    expect(read('/snapshots/sch_1/env_1?lastEventId=3')).toEqual({
      route: 'snapshot',
      snapshotKey: 'sch_1/env_1',
      query: { lastEventId: '3' },
    })
    expect(read('/snapshots/sch_1/env_1/12')).toMatchObject({ route: 'version', version: 12 })
    expect(read('/snapshots/sch_1/env_1/stream')).toMatchObject({ route: 'stream' })
    expect(read('/organizations/a%20b/config/values/k%C3%A9y?environment=x%2By+z')).toEqual({
      route: 'value',
      organization: 'a b',
      key: 'kéy',
      query: { environment: 'x+y z' },
    })
    expect(read('/organizations/a%20b/config/snapshot?environment=x')).toEqual({
      route: 'namedSnapshot',
      organization: 'a b',
      query: { environment: 'x' },
    })
    expect(read('/organizations/acme/config/feature-flags/new/evaluate')).toMatchObject({
      route: 'evaluate',
      key: 'new',
    })
  })

  it('that match no route are nothing, whatever they contain', () => {
    for (const url of [
      '/snapshots//',
      '/snapshots/a/',
      '/snapshots/a/b/c/d',
      '/snapshots/a/b/stream/x',
      '/snapshots/a/b/1e3',
      '/organizations//config/values',
      '/organizations//config/snapshot',
      '/organizations/a/config/snapshot/b',
      '/organizations/a/config/values/',
      '/organizations/a/config/values/b/c',
      '/organizations/a/config/feature-flags/b',
    ]) {
      expect([url, read(url).route]).toEqual([url, 'nothing'])
    }
  })
})
