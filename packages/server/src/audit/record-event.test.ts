import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { sqlStateOf } from '../store/store-problem.ts'
import { systemAuthor, type AuditEvent } from './audit-event.ts'
import { recordAuditEvent } from './record-event.ts'
import { expectOneEvent } from './testing/expect-audit.ts'
import { verifyChains } from './verify-chain.ts'

let test: TestStore
beforeAll(async () => {
  test = await openTestStore()
})
afterAll(() => test.close())

function buildEvent(overrides: Partial<AuditEvent> = {}): AuditEvent {
  return {
    orgId: 'org_a',
    actor: { type: 'user', id: 'usr_1', name: 'Ada' },
    action: 'org.updated',
    target: { type: 'organization', id: 'org_a', name: 'A' },
    detail: { fields: ['name'] },
    request: { requestId: 'req_1', ip: '203.0.113.9', userAgent: 'curl\n8' },
    ...overrides,
  }
}

const append = (event: AuditEvent, orgId = event.orgId) =>
  test.store.transaction({ orgId }, async (tx) => recordAuditEvent(tx, event))

const sqlState = (work: Promise<unknown>) => work.then(() => 'none', sqlStateOf)

describe('recordAuditEvent', () => {
  it('appends one event with who, what and where', async () => {
    const event = await expectOneEvent(test, 'org.updated', () => append(buildEvent()))
    expect(event).toMatchObject({
      org_id: 'org_a',
      actor: { type: 'user', id: 'usr_1', name: 'Ada' },
      target: { id: 'org_a' },
      detail: { fields: ['name'] },
    })
  })

  it('leaves nothing when the transaction of the change fails', async () => {
    const count = 'select count(*)::int as count from audit_events'
    const before = await test.asOwner(count)
    const failed = test.store.transaction({ orgId: 'org_a' }, async (tx) => {
      recordAuditEvent(tx, buildEvent())
      throw new Error('the change failed')
    })
    await expect(failed).rejects.toThrow('the change failed')
    expect(await test.asOwner(count)).toEqual(before)
  })

  it('keeps one order when many write at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => append(buildEvent({ orgId: 'org_many' }))))
    const chain = (await verifyChains(test)).find(({ orgId }) => orgId === 'org_many')
    expect(chain).toMatchObject({ events: 20, violation: undefined })
  })
})

describe('the log as the role that serves requests', () => {
  const asApp = (text: string) =>
    sqlState(
      test.store.transaction({ orgId: 'org_a' }, (tx) => tx.query({ name: '', text, values: [] })),
    )

  it('cannot be changed or shortened: 42501', async () => {
    expect(await asApp(`update audit_events set action = 'x'`)).toBe('42501')
    expect(await asApp('delete from audit_events')).toBe('42501')
    expect(await asApp(`update audit_chains set sequence = 0`)).toBe('42501')
    expect(await asApp(`insert into audit_chains values ('org_a', 0, '')`)).toBe('42501')
    expect(await asApp('truncate audit_events')).toBe('42501')
  })

  it('can be read, which shows that the refusals are about writing', async () => {
    expect(await asApp('select * from audit_events')).toBe('none')
  })
})

describe('verifyChains', () => {
  const sealed = (orgId: string) => buildEvent({ orgId, actor: systemAuthor })
  const violationOf = async (orgId: string) =>
    (await verifyChains(test, { batchSize: 2 })).find((chain) => chain.orgId === orgId)?.violation

  const chainOfFive = async (orgId: string) => {
    for (let i = 0; i < 5; i++) await append(sealed(orgId))
    expect(await violationOf(orgId)).toBeUndefined()
  }

  it('finds no fault in a log that nobody touched, and reports its progress', async () => {
    await chainOfFive('org_whole')
    const seen: number[] = []
    await verifyChains(test, {
      batchSize: 2,
      onProgress: ({ orgId, eventsVerified }) => {
        if (orgId === 'org_whole') seen.push(eventsVerified)
      },
    })
    expect(seen).toEqual([2, 4, 5])
  })

  it('names the first event whose content was changed', async () => {
    await chainOfFive('org_changed')
    await test.asOwner(
      `update audit_events set detail = '{"fields":[]}' where org_id = 'org_changed' and sequence in (3, 4)`,
    )
    expect(await violationOf('org_changed')).toMatchObject({ sequence: 3, reason: 'changed' })
  })

  it('sees a change of white space or of a microsecond', async () => {
    await chainOfFive('org_small')
    await test.asOwner(
      `update audit_events set at = at + interval '1 microsecond' where org_id = 'org_small' and sequence = 2`,
    )
    expect(await violationOf('org_small')).toMatchObject({ sequence: 2, reason: 'changed' })
  })

  it('finds an event that was rehashed alone', async () => {
    await chainOfFive('org_rehashed')
    await test.asOwner(`update audit_events set action = 'org.deleted', hash = sha256(previous_hash || convert_to(
      audit_text(sequence, id, at, actor, 'org.deleted', target, detail, request_id, ip, user_agent), 'UTF8'))
      where org_id = 'org_rehashed' and sequence = 2`)
    expect(await violationOf('org_rehashed')).toMatchObject({ sequence: 3, reason: 'not_linked' })
  })

  it('finds events that were taken out, from the middle or from the end', async () => {
    await chainOfFive('org_middle')
    await test.asOwner(`delete from audit_events where org_id = 'org_middle' and sequence = 2`)
    expect(await violationOf('org_middle')).toEqual({
      eventId: null,
      sequence: 2,
      reason: 'missing',
    })
    await chainOfFive('org_end')
    await test.asOwner(`delete from audit_events where org_id = 'org_end' and sequence = 5`)
    expect(await violationOf('org_end')).toEqual({ eventId: null, sequence: 5, reason: 'missing' })
  })

  it('finds events without a head', async () => {
    await chainOfFive('org_headless')
    await test.asOwner(`delete from audit_chains where org_id = 'org_headless'`)
    expect(await violationOf('org_headless')).toMatchObject({ reason: 'end_differs' })
  })
})
