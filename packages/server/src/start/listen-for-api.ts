import { createApp } from '../app.ts'
import { createConfigPlaces } from '../configs/config-places.ts'
import { createSchemaCache } from '../configs/schema-cache.ts'
import { deriveKey } from '../crypto/root-key.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { createCursors } from '../http/cursors.ts'
import { createHttpServer } from '../http/http-server.ts'
import { createHashRequest } from '../http/idempotency-key.ts'
import { createSigningKeys } from '../identity/access-tokens/signing-keys.ts'
import type { KeyRingFeed } from '../identity/key-ring-feed.ts'
import { createPublishChange } from '../identity/publish-change.ts'
import { resolveOrganization } from '../identity/resolve-organization.ts'
import { createOrganizationKeys, type OrganizationKeys } from '../vault/organization-keys.ts'
import { serverVersion } from '../version.ts'
import { checkReadiness } from './check-readiness.ts'
import type { KeyAccess, People } from './open-reading.ts'
import type { Opened } from './start-with-database.ts'

/** How long accepted requests may take to finish once the process is asked to stop. */
const drainMs = 5_500
const flushSealCountsEveryMs = 60_000

export interface ListenForApi {
  readonly keyAccess: KeyAccess
  readonly keyFeed: KeyRingFeed
  readonly delivery: Delivery | undefined
  readonly people: People
  /** Where applications read; undefined when another process delivers and no address is set. */
  readonly configUrl: string | undefined
}

/** Opens the API's address and answers its URL. */
export async function listenForApi(opened: Opened, given: ListenForApi): Promise<string> {
  const { settings, store, rootKeys, metrics, listening, log, now, limiter } = opened
  const { keyAccess, keyFeed, delivery, people } = given
  const address = { url: settings.publicUrl ?? '' }
  const publicUrl = () => address.url
  const configUrl = () => given.configUrl ?? settings.configUrl ?? address.url
  const dataKeys = createOrganizationKeys({ store, rootKeys, now })
  keepSealCounts(opened, dataKeys)
  const publish = createPublishChange({ store, feed: keyFeed, log })
  const signingKeys = createSigningKeys({ store, rootKeys, publish })
  await signingKeys.getIssuer()
  const listener = createApp({
    router: {
      authenticate: people.authenticate,
      resolveOrganization: (actor, ref) =>
        resolveOrganization({ store, ring: keyAccess.ring }, actor, ref),
      cursors: createCursors(deriveKey(firstOf(rootKeys()), 'cursors')),
      hashRequest: createHashRequest(deriveKey(firstOf(rootKeys()), 'idempotency')),
      publicUrl,
      limiter,
      clientAddress: opened.clientAddress,
      log,
      metrics,
      now,
    },
    operation: {
      version: serverVersion,
      metrics,
      publicUrl,
      configUrl,
      checks: () => checkReadiness({ store, keyFeed, delivery, now }),
    },
    identity: {
      store,
      dataKeys,
      publish,
      signingKeys,
      limiter,
      now,
      configUrl,
      places: createConfigPlaces({ now }),
      verifier: keyAccess.verifier,
      uses: people.uses,
    },
    configs: { store, keys: dataKeys, schemas: createSchemaCache(), now },
    delivery: delivery?.handlerFor({ crossOrigin: false }),
  })
  const server = createHttpServer({ listener, metrics, now })
  const url = await server.listen({ host: settings.host, port: settings.apiPort })
  address.url = settings.publicUrl ?? url
  listening.push(() => {
    // Before the server waits for its answers to finish: a stream never does by itself.
    delivery?.endStreams()
    return server.close(drainMs)
  })
  return address.url
}

/** Counts are written down every minute, so that a data key is replaced long before it has sealed too often. */
function keepSealCounts({ closing, log }: Opened, dataKeys: OrganizationKeys): void {
  const timer = setInterval(() => {
    dataKeys
      .flushSealCounts()
      .catch((error: unknown) => log.warn('Seal counts could not be written', { error }))
  }, flushSealCountsEveryMs).unref()
  closing.push(async () => {
    clearInterval(timer)
    await dataKeys.flushSealCounts().catch(() => {})
  })
}

function firstOf<Item>([first]: readonly Item[]): Item {
  if (first === undefined) throw new Error('There is no root key')
  return first
}
