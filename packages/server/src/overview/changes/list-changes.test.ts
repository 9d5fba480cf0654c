import { describe, expect, it } from 'vitest'
import type { Tx } from '../../store/store.ts'
import { listChanges } from './list-changes.ts'

/** Returns the names of the statements that a page of changes sends. */
async function statementsOf(of: {
  readonly repository: string | undefined
  readonly foldTests: boolean
}): Promise<string[]> {
  const names: string[] = []
  const tx = {
    query: ({ name }: { readonly name: string }) => {
      names.push(name)
      return Promise.resolve([])
    },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- reads of changes use nothing else of a transaction
  const store = {
    transaction: <T>(_: object, work: (tx: Tx) => Promise<T>) => work(tx as unknown as Tx),
  }
  const page = {
    orgId: 'org_1',
    scope: { orgId: 'org_1' },
    limit: 10,
    kinds: undefined,
    after: { micros: 0, id: '' },
  }
  await listChanges({ store }, { ...page, ...of })
  return names
}

describe('the changes of a repository', () => {
  it('are read without the test runs of no deployment, which belong to no repository', async () => {
    const ofRuns = (names: readonly string[]) => names.filter((name) => name.includes('test-run'))
    const folded = await statementsOf({ repository: 'acme/shop', foldTests: true })
    expect(ofRuns(folded)).toEqual([])
    const listed = await statementsOf({ repository: 'acme/shop', foldTests: false })
    expect(ofRuns(listed)).toHaveLength(1)
    const anywhere = await statementsOf({ repository: undefined, foldTests: true })
    expect(ofRuns(anywhere)).toHaveLength(1)
  })
})
