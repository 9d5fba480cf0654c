import type { Store } from '../../../../store/store.ts'
import type { AssistantClients } from './read-client.ts'

/** Describes the dependencies of connecting remote assistants. */
export interface AgentOAuthDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly clients: AssistantClients
  /** Derived from the root key, with the label `sign-in`. */
  readonly signInKey: Buffer
  /** Returns the address of the API as browsers see it. */
  readonly publicUrl: () => string
  readonly now: () => Date
}
