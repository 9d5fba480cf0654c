import { createApp } from '../app.ts'
import { serverChain } from '../audit/audit-event.ts'
import { createConfigDirectory } from '../configs/environments/config-directory.ts'
import { createSchemaCache } from '../configs/schemas/schema-cache.ts'
import { createConfigSummarizer } from '../configs/summarize-configs.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { Egress } from '../egress/create-egress.ts'
import { createCursors } from '../http/input/cursors.ts'
import { createHttpServer } from '../http/http-server.ts'
import type { RouterDeps } from '../http/serve-endpoint.ts'
import { createHashRequest } from '../http/admission/idempotency-key.ts'
import { createSigningKeys } from '../identity/access-tokens/signing-keys.ts'
import type { ApiKeyFeed } from '../identity/key-cache/api-key-feed.ts'
import { createOidcProvider, type OidcProvider } from '../identity/oidc/oidc-provider.ts'
import { checkReaders } from '../identity/check-readers.ts'
import { createPublishChange } from '../identity/publish-change.ts'
import { resolveOrganization } from '../identity/resolve-organization.ts'
import { isOperator } from '../identity/setup/is-operator.ts'
import { openLive, type OpenLiveDeps } from '../live/open-live.ts'
import type { ServerStatusDeps } from '../operation/server-status.ts'
import { serverVersion } from '../version.ts'
import { checkReadiness } from './check-readiness.ts'
import { deriveFirst } from './derive-first.ts'
import { isChatConnected } from '../integrations/chat-rows.ts'
import type { Features } from './open-features.ts'
import { openFeatureRoutes } from './open-feature-routes.ts'
import type { KeyAccess, People } from './open-reading.ts'
import type { Resources } from './resources.ts'

/** How long accepted requests may take to finish once the process is asked to stop. */
const drainMs = 5_500

export interface ListenForApi {
  readonly features: Features
  readonly keyAccess: KeyAccess
  readonly keyFeed: ApiKeyFeed
  readonly delivery: Delivery | undefined
  readonly people: People
  /** Where applications read; undefined when another process delivers and no address is set. */
  readonly configUrl: string | undefined
}

/** Opens the API's address and answers its URL. */
export async function listenForApi(resources: Resources, options: ListenForApi): Promise<string> {
  const { settings, store, rootKeys, keys, metrics, listening, log, now, limiter, address } =
    resources
  const { features, keyAccess, keyFeed, delivery, people } = options
  const publicUrl = () => address.url
  const configUrl = () => options.configUrl ?? settings.configUrl ?? address.url
  const publish = createPublishChange({ store, feed: keyFeed, log })
  const signingKeys = createSigningKeys({ store, rootKeys, publish })
  await signingKeys.getIssuer()
  const admission: Admission = {
    resolveOrganization: (actor, ref) =>
      resolveOrganization({ store, keyCache: keyAccess.keyCache }, actor, ref),
    isOperator: (userId) => isOperator({ store }, userId),
  }
  const check: OpenLiveDeps['check'] = (readers) => checkReaders({ store, now }, readers)
  const live = openLive({ store, check, metrics, log })
  resources.closing.push(() => live.close())
  const schemas = createSchemaCache()
  const checks = () => checkReadiness({ store, keyFeed, delivery, now })
  const listener = createApp({
    live,
    router: toRouterDeps(resources, people, admission),
    operation: { version: serverVersion, metrics, publicUrl, configUrl, checks },
    serverStatus: toStatusDeps(resources, checks),
    identity: {
      store,
      dataKeys: keys,
      serverKeys: features.providers.serverKeys,
      publish,
      signingKeys,
      limiter,
      now,
      configUrl,
      publicUrl,
      log,
      ...people,
      signInKey: deriveFirst(rootKeys, 'sign-in'),
      oidcProvider: openOidcProvider(resources, features.providers.egress),
      configs: createConfigDirectory({ now }),
      verifier: keyAccess.verifier,
      livePosition: () => live.streams.position(),
    },
    ...openFeatureRoutes(resources, { ...options, ...admission }),
    configs: { store, keys, schemas, emit: features.emit, isChatConnected, now },
    overview: { store, summarizer: createConfigSummarizer({ schemas }), now },
    delivery: delivery?.handlerFor({ crossOrigin: false }),
  })
  const server = createHttpServer({ listener, metrics, now })
  const url = await server.listen({ host: settings.host, port: settings.apiPort })
  address.url = settings.publicUrl ?? url
  listening.push(() => {
    // Before the server waits for its answers to finish: a stream never does by itself.
    delivery?.endStreams()
    live.endStreams()
    return server.close(drainMs)
  })
  return address.url
}

type Admission = Pick<RouterDeps, 'resolveOrganization' | 'isOperator'>

function toRouterDeps(resources: Resources, people: People, admission: Admission): RouterDeps {
  const { rootKeys, limiter, clientAddress, address, log, metrics, now } = resources
  return {
    ...admission,
    authenticate: people.authenticate,
    cursors: createCursors(deriveFirst(rootKeys, 'cursors')),
    hashRequest: createHashRequest(deriveFirst(rootKeys, 'idempotency')),
    publicUrl: () => address.url,
    limiter,
    clientAddress,
    log,
    metrics,
    now,
  }
}

function toStatusDeps(
  { settings, store, now }: Resources,
  checks: ServerStatusDeps['checks'],
): ServerStatusDeps {
  return {
    store,
    version: serverVersion,
    startedAt: now(),
    engine: settings.databaseUrl === undefined ? 'embedded' : 'postgres',
    roles: settings.roles,
    checks,
    serverChain,
  }
}

/** Asks nothing of the provider: whether it can be reached shows when somebody signs in. */
function openOidcProvider(
  { settings, address, now }: Resources,
  { fetch }: Pick<Egress, 'fetch'>,
): OidcProvider | undefined {
  if (settings.oidc === undefined) return undefined
  return createOidcProvider({
    settings: settings.oidc,
    fetch,
    publicUrl: () => address.url,
    now,
  })
}
