import { expect } from 'vitest'
import type { TestDatabase } from '../../store/testing/test-database.ts'
import type { AuditAction } from '../audit-event.ts'

export interface WrittenEvent {
  readonly org_id: string
  readonly action: string
  readonly actor: { readonly type: string; readonly id: string | null; readonly name: string }
  readonly target: {
    readonly type: string
    readonly id: string | null
    readonly name: string | null
  }
  readonly detail: Readonly<Record<string, unknown>>
}

const countSql = 'select count(*)::int as count from audit_events'
const newestSql = `select org_id, action, actor, target, detail from audit_events
  order by at desc, sequence desc limit 1`

/**
 * Runs a mutation and expects exactly one audit event of it, which it answers.
 *
 * ```ts
 * const event = await expectOneEvent(test, 'key.revoked', () => revokeApiKey(deps, …))
 * ```
 */
export async function expectOneEvent(
  test: Pick<TestDatabase, 'asOwner'>,
  action: AuditAction,
  mutate: () => Promise<unknown>,
): Promise<WrittenEvent> {
  const count = async () => (await test.asOwner<{ count: number }>(countSql))[0]?.count ?? 0
  const before = await count()
  await mutate()
  const events = (await count()) - before
  const [newest] = await test.asOwner<WrittenEvent & Record<string, unknown>>(newestSql)
  expect({ events, action: newest?.action }).toEqual({ events: 1, action })
  if (newest === undefined) throw new Error('There is no audit event')
  return newest
}

/** Runs something that changes nothing and expects no audit event of it. */
export async function expectNoEvent(
  test: Pick<TestDatabase, 'asOwner'>,
  work: () => Promise<unknown>,
): Promise<void> {
  const [before] = await test.asOwner(countSql)
  await work()
  const [after] = await test.asOwner(countSql)
  expect(after).toEqual(before)
}
