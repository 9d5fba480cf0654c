import { PassThrough, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { exportAuditEvents, type ExportAuditEvents } from './export-audit-events.ts'
import { recordAuditEvent } from './record-event.ts'

let test: TestStore
const orgId = 'org_1'
const whole = {
  orgId,
  scope: { orgId },
  filter: {},
  format: 'jsonl',
  author: { type: 'user', id: 'usr_2', name: 'Auditor' },
  request: { requestId: 'req_1', ip: '192.0.2.1', userAgent: undefined },
  mayGoOn: () => Promise.resolve(true),
} as const

async function record(name: string, times: number) {
  await test.store.transaction({ orgId }, async (tx) => {
    for (let n = 0; n < times; n += 1) {
      recordAuditEvent(tx, {
        orgId,
        actor: { type: 'user', id: 'usr_1', name },
        action: n % 2 === 0 ? 'org.updated' : 'key.created',
        target: { type: 'organization', id: orgId, name: 'a "quoted", name' },
      })
    }
  })
}

beforeAll(async () => {
  test = await openTestStore()
  await record('=HYPERLINK("http://evil")', 1_200)
  await test.store.transaction({ orgId: 'org_2' }, async (tx) => {
    const target = { type: 'organization', id: 'org_2', name: null }
    const actor = { type: 'system', id: null, name: 'them' } as const
    recordAuditEvent(tx, { orgId: 'org_2', actor, action: 'org.created', target })
  })
})
afterAll(() => test.close())

async function run(of: Partial<ExportAuditEvents> = {}): Promise<string> {
  const out = new PassThrough({ highWaterMark: 1_000 })
  const given = { ...whole, ...of }
  const [written] = await Promise.all([text(out), exportAuditEvents(test, given, () => out)])
  return written
}

describe('the export of audit events', () => {
  it('has every event of the organization once, oldest first, whatever the reader takes at a time', async () => {
    const events = (await run())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 1_201 }, (_, n) => n + 1),
    )
    // The export itself is recorded, as the last event.
    expect(events.at(-1)).toMatchObject({
      action: 'audit.exported',
      actor: { id: 'usr_2' },
      detail: { format: 'jsonl' },
      ip: '192.0.2.1',
    })
    expect(events[0]).toMatchObject({
      action: 'org.updated',
      hash: expect.stringMatching(/^\w{64}$/),
    })
  })

  it('has those that are asked for alone', async () => {
    const lines = (await run({ filter: { action: 'key.created' } })).trim().split('\n')
    expect(lines).toHaveLength(600)
  })

  it('goes on after an event, also in a later batch', async () => {
    const whole = (await run()).trim().split('\n')
    for (const afterSequence of [1, 700]) {
      const rest = (await run({ afterSequence })).trim().split('\n')
      expect(rest.slice(0, 400)).toEqual(whole.slice(afterSequence, afterSequence + 400))
      expect(JSON.parse(rest.at(-1) ?? '')).toMatchObject({ detail: { afterSequence } })
    }
  })

  it('has lines of CSV that no spreadsheet runs', async () => {
    const [head, first] = (await run({ format: 'csv' })).split('\r\n')
    expect(head).toMatch(/^sequence,id,at,actorType/)
    expect(first).toContain(`"'=HYPERLINK(""http://evil"")"`)
    expect(first).toContain('"a ""quoted"", name"')
  })

  it('is asked about before each further batch, and cut once its reader may not read any more', async () => {
    const answers = [true, false]
    const out = new PassThrough()
    const taken: string[] = []
    out.on('data', (bytes: Buffer) => taken.push(bytes.toString()))
    await exportAuditEvents(
      test,
      { ...whole, mayGoOn: async () => answers.shift() ?? false },
      () => out,
    )
    expect([out.destroyed, out.writableFinished]).toEqual([true, false])
    expect(taken.join('').trim().split('\n')).toHaveLength(1_000)
  })

  it.each([
    ['in the middle', {}],
    ['at the end', { filter: { actor: 'usr_2' } }],
  ])('is cut when its reader takes nothing %s', async (_, of) => {
    const out = new Writable({ highWaterMark: 1, write: () => {} })
    await exportAuditEvents(test, { ...whole, ...of, patienceMs: 20 }, () => out)
    expect([out.destroyed, out.writableFinished]).toEqual([true, false])
  })

  it('ends when the reader goes away', async () => {
    const out = new Writable({ highWaterMark: 1, write: () => out.destroy() })
    await exportAuditEvents(test, whole, () => out)
    expect(out.destroyed).toBe(true)
  })

  it('cuts the connection when it cannot go on, so that a part does not look like the whole', async () => {
    // Two transactions succeed: the one that records the export, and the one that reads the first batch.
    let reads = 0
    const store: Pick<TestStore['store'], 'transaction'> = {
      transaction: (scope, work) => {
        reads += 1
        if (reads > 2) throw new Error('the database went away')
        return test.store.transaction(scope, work)
      },
    }
    const out = new PassThrough()
    out.resume()
    await exportAuditEvents({ store }, whole, () => out)
    expect([out.destroyed, out.writableFinished]).toEqual([true, false])
  })
})
