import type { Store, Tx } from '../../store/store.ts'
import type { ConfigDeps } from '../config-deps.ts'
import type { Credential } from '../signals/credential.ts'
import type { ReadFor, Reading, SignalRow } from '../signals/signal.ts'

/** Describes how the test run stands that a change has started. */
export interface ProofTest {
  readonly ruleKey: string
  readonly runId: string
  readonly outcome: 'passed' | 'failed' | 'none' | 'pending'
  readonly detail: string | null
}

/** Describes something that went live in an environment. */
export interface DeployedIn {
  readonly environmentId: string
  readonly at: Date
}

/** Reads what other features know of a change that is watched. */
export interface ProofPorts {
  /** Returns the test runs with these rules. A rule without a run is left out. */
  readonly proofTests: (tx: Tx, orgId: string, ruleKeys: readonly string[]) => Promise<ProofTest[]>
  /** Returns what went live in environments after a moment. */
  readonly listDeployed: (
    tx: Tx,
    orgId: string,
    of: { readonly environmentIds: readonly string[]; readonly since: Date },
  ) => Promise<DeployedIn[]>
}

/** Reads a signal. It never fails: what the other side does is a reading without data. */
export interface SignalReader {
  read(signal: SignalRow, of: ReadFor, credential: Credential): Promise<Reading>
}

/** Holds the dependencies of the use cases of proofs. */
export interface ProofDeps extends ConfigDeps {
  readonly store: ConfigDeps['store'] & Pick<Store, 'maintenance'>
  readonly proofPorts: ProofPorts
  readonly signalReader: SignalReader
}
