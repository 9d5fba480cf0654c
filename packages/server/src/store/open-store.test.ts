import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestStore, type TestStore } from './testing/test-database.ts'

let test: TestStore
beforeAll(async () => {
  test = await openTestStore()
  await test.asOwner(`insert into organizations (id, slug, name)
    values ('org_a', 'a', 'A'), ('org_b', 'b', 'B')`)
})
afterAll(() => test.close())

describe('transaction', () => {
  it('shows the rows of its organization', async () => {
    const rows = await test.store.transaction({ orgId: 'org_a' }, (tx) =>
      tx.db.selectFrom('organizations').select('id').execute(),
    )
    expect(rows).toEqual([{ id: 'org_a' }])
  })
})
