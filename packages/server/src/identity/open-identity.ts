import type { Egress } from '../egress/create-egress.ts'
import { lowPriority } from '../jobs/jobs.ts'
import type { QueueDefinition } from '../jobs/queue.ts'
import type { Feature, Kit } from '../kit.ts'
import { deriveActiveKey } from '../vault/derive-active-key.ts'
import type { ServerKeys } from '../vault/server-keys.ts'
import { createSigningKeys } from './access-tokens/signing-keys.ts'
import type { ApiKeyFeed } from './key-cache/api-key-feed.ts'
import { createOidcProvider, type OidcProvider } from './oidc/oidc-provider.ts'
import type { KeyAccess } from './open-key-access.ts'
import type { People } from './open-people.ts'
import { createIssuerKeys } from './api-keys/service-accounts/issuer-keys.ts'
import { createAssistantClients } from './members/agent-tokens/oauth/read-client.ts'
import { checkAllDomains } from './members/email-domains/check-domain.ts'
import { createReadTxt } from './members/email-domains/read-txt.ts'
import { createPublishChange } from './publish-change.ts'
import { mountIdentity, type IdentityDeps } from './routes.ts'

/** Describes what identity needs of the process and of other features. */
export interface IdentityPorts extends Pick<
  IdentityDeps,
  'configs' | 'configUrl' | 'livePosition' | 'countMade'
> {
  readonly people: People
  readonly keyAccess: KeyAccess
  readonly keyFeed: ApiKeyFeed
  /** Reaches the OpenID provider, which the settings name. */
  readonly egress: Pick<Egress, 'fetch' | 'request'>
  /** Reaches the addresses that people enter. */
  readonly memberEgress: Pick<Egress, 'request' | 'fetch' | 'requireSendable'>
  readonly serverKeys: ServerKeys
}

export const identityQueues: readonly QueueDefinition[] = [
  { name: 'identity.checkDomains', retries: 3 },
]

/** Opens set-up, sign-in, people, organizations, keys and tokens. */
export function openIdentity(kit: Kit, ports: IdentityPorts): Feature {
  const { settings, store, keys, rootKeys, limiter, publicUrl, log, now } = kit
  const { people, keyAccess, keyFeed, egress, memberEgress, serverKeys, ...rest } = ports
  const publish = createPublishChange({ store, feed: keyFeed, log })
  const signingKeys = createSigningKeys({ store, rootKeys, publish })
  const readTxt = createReadTxt(settings.dnsServers)
  return {
    work: () =>
      kit.jobs.work(
        'identity.checkDomains',
        () => checkAllDomains({ store, readTxt, now }),
        lowPriority,
      ),
    async mount(router) {
      await signingKeys.getIssuer()
      mountIdentity(router, {
        ...rest,
        ...people,
        store,
        dataKeys: keys,
        serverKeys,
        publish,
        organizationsPerPerson: settings.organizationsPerPerson,
        onlyOperatorsCreate: settings.organizationsCreatedBy === 'operators',
        deploymentsKeptMs: settings.keptFor.deploymentsMs,
        signingKeys,
        verifier: keyAccess.verifier,
        keyCache: keyAccess.keyCache,
        issuerKeys: createIssuerKeys({ egress: memberEgress, now }),
        clients: createAssistantClients({ egress: memberEgress, log, now }),
        memberEgress,
        readTxt,
        limiter,
        publicUrl,
        oidcProvider: openOidcProvider(kit, egress),
        signInKey: deriveActiveKey(rootKeys, 'sign-in'),
        log,
        now,
      })
    },
  }
}

/** Creates the client of the OpenID provider without a call: the first sign-in shows whether the provider can be reached. */
function openOidcProvider(
  { settings, publicUrl, now }: Kit,
  { fetch }: Pick<Egress, 'fetch'>,
): OidcProvider | undefined {
  if (settings.oidc === undefined) return undefined
  return createOidcProvider({ settings: settings.oidc, fetch, publicUrl, now })
}
