import type { Store } from '../../store/store.ts'
import type { Log } from '../../telemetry/log.ts'
import type { Authenticate } from '../authenticate.ts'
import type { OidcProvider } from './oidc-provider.ts'
import type { ProviderClients } from './providers/open-provider.ts'

/** Describes the dependencies of signing in with the OpenID provider. */
export interface OidcDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  /** `undefined`: the settings name none. */
  readonly provider: OidcProvider | undefined
  /** Opens the providers of organizations. */
  readonly providers: ProviderClients
  /** Derived from the root key, with the label `sign-in`. */
  readonly signInKey: Buffer
  readonly authenticate: Authenticate
  readonly log: Pick<Log, 'warn'>
  readonly now: () => Date
}
