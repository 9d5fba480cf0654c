import type { Emit } from '../jobs/emit.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { CodehostApi } from '../providers/codehost.ts'
import type { CommitOf } from '../read-models/gates/fact-rows.ts'
import type { Store, Tx } from '../store/store.ts'
import type { CheckFact } from './facts.ts'

/** Reads what the definitions of commits lack in each environment. A commit without any is left out. Keys are `keyOfCommit`. */
export type FindChecks = (
  tx: Tx,
  orgId: string,
  commits: readonly CommitOf[],
) => Promise<ReadonlyMap<string, readonly CheckFact[]>>

/** Holds what the use cases of gates work with. */
export interface GateDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly jobs: Pick<Jobs, 'enqueue'>
  /** Called with each deployment whose decision changes. */
  readonly emit: Emit<'gate.changed'>
  readonly findChecks: FindChecks
  readonly openCodehost: (orgId: string) => Promise<Pick<CodehostApi, 'waits'>>
  /** Returns the address of the page of a decision; `null` where this server does not know its own. */
  readonly decisionUrl: (orgId: string, id: string) => string | null
  readonly now: () => Date
}

/** Returns the key of a commit among those of several repositories. */
export function keyOfCommit({ repositoryId, sha }: CommitOf): string {
  return `${repositoryId} ${sha}`
}
