import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createReporter } from '../relay/reporter.ts'
import { silentLog } from '../../telemetry/log.ts'
import type { ReplicaReport } from '../../replica/report.ts'
import {
  openTestDelivery,
  snapshotPath,
  testSnapshot,
  type TestDelivery,
} from '../testing/test-delivery.ts'

let test: TestDelivery

beforeEach(async () => {
  test = await openTestDelivery()
  await test.publish({ public: { a: 'x' }, secret: { key: 'sk_1' } })
})
afterEach(() => test.close())

const config = `/organizations/${testSnapshot.orgId}/config`
const countOf = (keyId: string) =>
  test.delivery.takeKeyUses().find((use) => use.keyId === keyId)?.secretReads

describe('the answers with secrets to a key, at the delivery', () => {
  it('are counted one by one: snapshots, all values, one secret', async () => {
    const { key, headers } = test.addKey('m2m')
    for (const path of [
      snapshotPath,
      `${snapshotPath}/1`,
      `${config}/values?environment=production`,
      `${config}/values/key?environment=production`,
    ]) {
      expect([path, (await test.ask(path, { headers })).status]).toEqual([path, 200])
    }
    expect(countOf(key.id)).toBe(4)
    expect(countOf(key.id)).toBeUndefined()
  })

  it('are not those without a secret: a public value, a 304, a browser key, a refusal', async () => {
    const server = test.addKey('m2m')
    const browser = test.addKey('b2m')
    const { headers } = await test.ask(snapshotPath, server)
    expect(countOf(server.key.id)).toBe(1)
    const etag = { 'if-none-match': String(headers['etag']) }
    const same = await test.ask(snapshotPath, { headers: { ...server.headers, ...etag } })
    expect(same.status).toBe(304)
    await test.ask(`${config}/values/a?environment=production`, server)
    await test.ask(`${config}/values/absent?environment=production`, server)
    await test.ask(snapshotPath, browser)
    const uses = test.delivery.takeKeyUses()
    expect(uses.map(({ keyId }) => keyId)).toContain(server.key.id)
    expect(uses.some(({ secretReads }) => secretReads !== undefined)).toBe(false)
  })

  it('reach the server from a relay once each, also when a report is refused or overtaken', async () => {
    const taken: ReplicaReport[] = []
    const waiting: { keyId: string; orgId: string; usedAt: Date; secretReads: number }[] = []
    const read = (secretReads: number) =>
      waiting.push({ keyId: 'key_1', orgId: 'org_1', usedAt: new Date(1_000), secretReads })
    let send = (report: ReplicaReport): Promise<void> => {
      taken.push(report)
      return Promise.resolve()
    }
    const reporter = createReporter({
      describe: () => ({
        name: 'n',
        version: '1',
        carrier: 'relay',
        fedBy: null,
        snapshots: 1,
        ageSeconds: 0,
        fault: null,
      }),
      takeUses: () => waiting.splice(0),
      send: (report) => send(report),
      now: () => new Date(2_000),
      log: silentLog,
    })
    const total = () =>
      taken.flatMap(({ uses }) => uses).reduce((sum, use) => sum + (use.secretReads ?? 0), 0)
    read(3)
    const works = send
    send = () => Promise.reject(new Error('refused'))
    await expect(reporter.flush()).rejects.toThrow('refused')
    read(2)
    send = async (report) => {
      // A node below reports while this one sends.
      reporter.take({
        nodes: [],
        uses: [{ keyId: 'key_1', orgId: 'org_1', usedAtMs: 1_500, secretReads: 10 }],
      })
      await works(report)
    }
    await reporter.flush()
    expect(total()).toBe(5)
    send = works
    await reporter.flush()
    expect(total()).toBe(15)
  })
})
