import type { Attention, Change } from '@signalbox/contract/rest'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addProof } from '../configs/testing/add-proof.ts'
import { openOverviewApp, type OverviewApp } from './testing/open-overview-app.ts'

let opened: OverviewApp
let app: OverviewApp
let schemaId: string
let environmentId: string
beforeAll(async () => {
  opened = await openOverviewApp()
})
beforeEach(async () => {
  app = await opened.another()
  app.at = new Date()
  environmentId = await app.addEnvironment('production')
  schemaId = await app.addSchema('shop', {
    title: { type: 'string', tier: 'public', default: 'One' },
  })
})
afterAll(() => opened.close())

const days = (count: number) => new Date(Date.now() + count * 24 * 3_600_000)
const reason = { code: 'signal', signal: null, detail: 'api-errors was 4.2, above 2' }

async function save(title: string) {
  await app.ok('m2m', 'PUT /config-values', {
    body: { schemaId, environmentId, values: { title } },
  })
  const [row] = await app.test.asOwner<{ id: string; version: number }>(
    'select id, version from config_versions where org_id = $1 order by created_at desc limit 1',
    [app.orgId],
  )
  return row ?? { id: '', version: 0 }
}

/** Saves a value whose proof has ended. */
async function endProof(set: string, ...values: unknown[]) {
  const { id: versionId, version } = await save(`Title ${Math.random()}`)
  const id = await addProof(app.test, { orgId: app.orgId, versionId })
  await app.test.asOwner(`update proofs set ended_at = now(), ${set} where id = $1`, [
    id,
    ...values,
  ])
  return { id, versionId, version }
}

const attention = async (): Promise<Attention[]> => {
  const codes = new Set(['change_not_restored', 'change_not_proven', 'signal_silent'])
  const { body } = await app.ok('viewer', 'GET /overview')
  return body.needsYou.filter(({ code }: Attention) => codes.has(code))
}
const change = async (versionId: string): Promise<Change | undefined> =>
  (await app.ok('viewer', 'GET /changes')).body.items.find(({ id }: Change) => id === versionId)

describe('a change that has failed and is live', () => {
  it('needs attention until the configuration is changed again, and for a week', async () => {
    const kept = {
      code: 'hour',
      keys: ['title'],
      detail: 'A change was taken back within the last hour',
    }
    const { versionId, version } = await endProof(
      `state = 'failed', reason = $2, not_restored = $3`,
      reason,
      kept,
    )
    expect(await attention()).toMatchObject([
      {
        code: 'change_not_restored',
        severity: 'error',
        subjectId: versionId,
        title: `shop v${version} in production has failed and was not restored`,
        detail: expect.stringContaining(
          'Api-errors was 4.2, above 2. A change was taken back within the last hour. It stays here',
        ),
      },
    ])
    app.at = days(8)
    expect(await attention()).toEqual([])
    app.at = new Date()
    await save('Mended')
    expect(await attention()).toEqual([])
  })

  it('control: does not where it was restored, is proven, or a person stopped watching', async () => {
    const back = [{ environmentId, versionId: 'ver_9', version: 9, keys: ['title'] }]
    await endProof(`state = 'failed', reason = $2, restored = $3`, reason, JSON.stringify(back))
    expect(await attention()).toEqual([])
    await endProof(`state = 'proven'`)
    expect(await attention()).toEqual([])
    await endProof(`state = 'stopped'`)
    expect(await attention()).toEqual([])
    await endProof(`state = 'inconclusive', reason = $2`, { ...reason, detail: 'No data.' })
    expect(await attention()).toMatchObject([
      {
        code: 'change_not_proven',
        severity: 'warning',
        detail: expect.stringMatching(/^No data\. It stays/),
      },
    ])
  })
})

describe('a signal without data', () => {
  it('needs attention where the policy of an environment names it', async () => {
    const { id: versionId } = await save('Two')
    await addProof(app.test, {
      orgId: app.orgId,
      versionId,
      signals: { pager: 'alert', 'api-errors': 'prometheus' },
    })
    const titles = async () => (await attention()).map(({ title }) => title)
    const last = { at: new Date().toISOString(), verdict: 'none', value: null, detail: 'no answer' }
    await app.test.asOwner(
      `update signals set last = $2 where org_id = $1 and kind = 'prometheus'`,
      [app.orgId, last],
    )
    app.at = days(2)
    expect(await titles()).toEqual([])
    await app.test.asOwner(
      `update environments set prove = (select terms from proofs where org_id = $1) where org_id = $1`,
      [app.orgId],
    )
    expect((await titles()).toSorted()).toEqual([
      'The signal api-errors has no data',
      'The signal pager has no data',
    ])
    app.at = new Date()
    expect(await titles()).toEqual(['The signal api-errors has no data'])
    await app.test.asOwner(`update signals set last = $2 where org_id = $1`, [
      app.orgId,
      { ...last, verdict: 'good' },
    ])
    expect(await titles()).toEqual([])
  })
})

describe('a version in the timeline', () => {
  it('says how it is watched and how that ended, and one that is not watched says nothing', async () => {
    const first = await save('Two')
    expect((await change(first.id))?.configuration?.proof).toBeNull()
    const back = { environmentId, versionId: 'ver_01jd2m4x9k0000000000000000', version: 9 }
    const { id, versionId } = await endProof(
      `state = 'failed', reason = $2, restored = $3`,
      reason,
      JSON.stringify([{ ...back, keys: ['title'] }]),
    )
    expect((await change(versionId))?.configuration?.proof).toEqual({
      id,
      state: 'failed',
      until: expect.stringMatching(/Z$/),
      waitsFor: null,
      hasTests: false,
      reason: 'api-errors was 4.2, above 2',
      restoredVersions: [back],
      notRestored: null,
    })
  })
})
