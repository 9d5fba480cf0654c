import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import type { Tx } from '../../store/store.ts'
import { readChainPiece } from './chain-rows.ts'

let test: TestStore
beforeAll(async () => {
  test = await openTestStore()
})
afterAll(() => test.close())

const position = {
  repositoryId: 'r',
  hostEnvironment: 'Production',
  task: 'deploy',
  positionAt: new Date(),
  externalId: '1',
}

describe('a piece of a chain', () => {
  it('is read from its own rows alone, although row-level security stands before each condition', async () => {
    const plan = await test.store.transaction({ orgId: 'org_1' }, async (tx) => {
      await tx.query({ name: 'no-scans', text: 'set local enable_seqscan = off', values: [] })
      const lines: string[] = []
      const explaining: Pick<Tx, 'query'> = {
        query: async ({ text, values }) => {
          const rows = await tx.query<{ 'QUERY PLAN': string }>({
            name: 'explain-piece',
            text: `explain ${text}`,
            values,
          })
          lines.push(...rows.map((row) => row['QUERY PLAN']))
          return []
        },
      }
      await readChainPiece(explaining as Tx, 'org_1', position)
      return lines
    })
    const conditions = plan.filter((line) => line.includes('Index Cond'))
    expect(conditions).toHaveLength(3)
    for (const condition of conditions) expect(condition).toMatch(/host_key.*task.*position_at/)
    expect(plan.join('\n')).toContain('deployments_chain_live')
  })
})
