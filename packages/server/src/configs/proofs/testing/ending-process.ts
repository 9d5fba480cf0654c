import type { Statement, Tx } from '../../../store/store.ts'
import type { ProofDeps } from '../proof-deps.ts'

/** Describes a process that ends at some point of its work with the database. */
interface EndingProcess {
  readonly deps: ProofDeps
  /** Counts the transactions that were committed before. */
  readonly committed: () => number
}

/**
 * Returns dependencies whose process ends at the n-th point: before a statement of a transaction, before its commit or after it.
 * Nothing else happens from then on.
 */
export function endingAt<D extends ProofDeps>(
  deps: D,
  n: number,
): EndingProcess & { readonly deps: D } {
  let points = 0
  let committed = 0
  const pass = () => {
    points += 1
    if (points >= n) throw new Error('The process has ended')
  }
  const passing = (statement: Statement) => {
    pass()
    return statement
  }
  const wrap = (tx: Tx): Tx => ({
    ...tx,
    query: async (statement) => tx.query(passing(statement)),
    send: (statement) => {
      tx.send(passing(statement))
    },
    atCommit: (statement) => {
      tx.atCommit(passing(statement))
    },
  })
  const store: ProofDeps['store'] = {
    announce: (topic) => {
      deps.store.announce(topic)
    },
    maintenance: (work) => deps.store.maintenance(work),
    transaction: async (scope, work) => {
      const result = await deps.store.transaction(scope, async (tx) => {
        const done = await work(wrap(tx))
        pass()
        return done
      })
      committed += 1
      pass()
      return result
    },
  }
  return { deps: { ...deps, store }, committed: () => committed }
}
