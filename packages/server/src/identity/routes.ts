import type { RateLimiter } from '../http/admission/rate-limit.ts'
import type { Router } from '../http/router.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { OrganizationKeys } from '../vault/organization-keys.ts'
import type { ServerKeys } from '../vault/server-keys.ts'
import { mountAccessTokens } from './access-tokens/routes.ts'
import type { SigningKeys } from './access-tokens/signing-keys.ts'
import { mountAccount } from './account/routes.ts'
import { mountAgentTokens } from './members/agent-tokens/routes.ts'
import { mountAgentOAuth } from './members/agent-tokens/oauth/routes.ts'
import type { AssistantClients } from './members/agent-tokens/oauth/read-client.ts'
import { mountApiKeys } from './api-keys/routes.ts'
import type { Authenticate } from './authenticate.ts'
import type { ConfigDirectory } from './config-directory.ts'
import { mountDevices } from './devices/routes.ts'
import type { ApiKeyCache } from './key-cache/api-key-cache.ts'
import type { IssuerKeys } from './api-keys/service-accounts/issuer-keys.ts'
import { mountGrants } from './members/grants/routes.ts'
import { mountGroups } from './members/groups/routes.ts'
import { mountInvitations } from './invitations/routes.ts'
import { mountMembers } from './members/routes.ts'
import type { OidcProvider } from './oidc/oidc-provider.ts'
import { mountOidc } from './oidc/routes.ts'
import { mountOrganizations } from './organizations/routes.ts'
import { mountPolicies } from './organizations/policies/routes.ts'
import { mountPersonalTokens } from './personal-tokens/routes.ts'
import type { PublishChange } from './publish-change.ts'
import { mountEmailDomains } from './members/email-domains/routes.ts'
import type { ReadTxt } from './members/email-domains/read-txt.ts'
import type { ScimDeps } from './members/scim/directory.ts'
import { mountScim } from './members/scim/routes.ts'
import { mountScimTokens } from './members/scim/tokens/routes.ts'
import type { Egress } from '../egress/create-egress.ts'
import { createProviderClients } from './oidc/providers/open-provider.ts'
import { mountSecondFactor } from './second-factor/routes.ts'
import { mountSessions } from './sessions/routes.ts'
import { createPasswordGuard } from './sessions/password-guard.ts'
import { mountSetup } from './setup/routes.ts'
import type { UseRecorder } from './use-recorder.ts'
import type { TokenVerifier } from './verify-token.ts'
import { mountWhoAmI } from './who-am-i.ts'

export interface IdentityDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly dataKeys: Pick<OrganizationKeys, 'create' | 'getSealer'>
  /** Seal the secrets of authenticators. */
  readonly serverKeys: ServerKeys
  readonly configs: ConfigDirectory
  readonly publish: PublishChange
  readonly organizationsPerPerson: number
  /** Says that only operators of this server create organizations. */
  readonly onlyOperatorsCreate: boolean
  /** Says for how long deployments are kept, in milliseconds. Undefined: for good. */
  readonly deploymentsKeptMs: number | undefined
  readonly verifier: TokenVerifier
  readonly signingKeys: SigningKeys
  readonly uses: UseRecorder
  readonly limiter: RateLimiter
  /** Where applications read their configuration. Asked each time: with port 0 it is known only after the start. */
  readonly configUrl: () => string
  /** Returns the address of the API as browsers see it. */
  readonly publicUrl: () => string
  readonly authenticate: Authenticate
  /** `undefined`: the settings name no OpenID provider. */
  readonly oidcProvider: OidcProvider | undefined
  /** Derived from the root key, with the label `sign-in`. */
  readonly signInKey: Buffer
  readonly log: Pick<Log, 'warn'>
  readonly now: () => Date
  /** From where streams of events tell at least what is not in anything that is read from now on. */
  readonly livePosition: () => string
  readonly keyCache: Pick<ApiKeyCache, 'findOwner'>
  readonly issuerKeys: IssuerKeys
  /** Reaches the addresses that people enter. */
  readonly memberEgress: Pick<Egress, 'fetch' | 'requireSendable'>
  /** Reads the records that verify e-mail domains. */
  readonly readTxt: ReadTxt
  readonly countMade: ScimDeps['countMade']
  /** Reads what remote assistants say about themselves. */
  readonly clients: AssistantClients
}

/** Mounts every endpoint of identity: set-up, sign-in, people, organizations, keys and tokens. */
export function mountIdentity(router: Router, deps: IdentityDeps): void {
  // One for all of them: a password is guessed no faster in several places.
  const proof = { ...deps, guard: createPasswordGuard(deps) }
  mountSetup(router, deps)
  mountSessions(router, proof)
  mountWhoAmI(router, deps)
  mountAccount(router, proof)
  mountSecondFactor(router, deps)
  mountPersonalTokens(router, deps)
  mountAccessTokens(router, deps)
  mountOidc(router, {
    ...deps,
    provider: deps.oidcProvider,
    providers: createProviderClients(deps),
  })
  mountDevices(router, deps)
  mountOrganizations(router, deps)
  mountMembers(router, deps)
  mountGroups(router, deps)
  mountGrants(router, deps)
  mountPolicies(router, deps)
  mountInvitations(router, deps)
  mountApiKeys(router, deps)
  mountAgentTokens(router, deps)
  mountAgentOAuth(router, deps)
  mountEmailDomains(router, deps)
  mountScimTokens(router, deps)
  mountScim(router, deps)
}
