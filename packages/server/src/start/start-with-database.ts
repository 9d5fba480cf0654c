import type { Delivery } from '../delivery/delivery.ts'
import { prepareSetup } from '../identity/setup/prepare-setup.ts'
import { makeDirectories } from '../store/make-directories.ts'
import { databaseSource } from '../store/open-database.ts'
import { openStore } from '../store/open-store.ts'
import { openRootKeys } from '../vault/open-root-keys.ts'
import { keepOrganizationKeys } from './keep-organization-keys.ts'
import { listenForApi } from './listen-for-api.ts'
import { listenForDelivery } from './listen-for-delivery.ts'
import type { Closing, Resources } from './resources.ts'
import { openFeatures, type Features } from './open-features.ts'
import { openDelivery, openKeyAccess, openApiKeyFeed, openPeople } from './open-reading.ts'
import type { Service, StartDeps } from './service.ts'
import { startWork } from './start-work.ts'

/** A process with the API or the worker, and usually the delivery as well. It needs the database to start. */
export async function startWithDatabase(deps: StartDeps): Promise<Service> {
  const { settings, log, stop } = deps
  const listening: Closing = []
  const closing: Closing = []
  const close = async () => {
    await Promise.all(listening.map(async (step) => step()))
    for (const step of closing.toReversed()) await step()
  }
  try {
    const store = await openStore({ source: databaseSource(settings), log, signal: stop })
    closing.push(() => store.close())
    const { dataDir, rootKeys: given } = settings
    // Not before the database: an embedded one lets the user that PostgreSQL runs as pass through it.
    await makeDirectories(dataDir, 0o700)
    const rootKeys = await openRootKeys({ store }, { given, dataDir })
    const keys = keepOrganizationKeys({ ...deps, store, rootKeys, closing })
    const address = { url: settings.publicUrl ?? '' }
    const resources: Resources = { ...deps, store, rootKeys, keys, address, listening, closing }
    stop.throwIfAborted()
    const features = await openFeatures(resources)
    stop.throwIfAborted()
    const addresses = await openAddresses(resources, features)
    await startWork(resources, features)
    stop.throwIfAborted()
    const notices = store.notice === undefined ? [] : [store.notice]
    return { ...addresses, notices, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens the delivery and then the API: what the API commits has somewhere to go. */
async function openAddresses(
  resources: Resources,
  features: Features,
): Promise<Pick<Service, 'apiUrl' | 'configUrl' | 'setupUrl'>> {
  const { settings, store, rootKeys, closing, now } = resources
  const keyAccess = openKeyAccess(resources)
  const people = openPeople(resources, store, keyAccess)
  const hasApi = settings.roles.has('api')
  const delivery = settings.roles.has('delivery')
    ? openDelivery(resources, {
        store,
        rootKeys,
        keyAccess,
        people: hasApi ? { store, now, authenticate: people.authenticate } : undefined,
      })
    : undefined
  const keyFeed = openApiKeyFeed(resources, store, delivery?.keyCache ?? keyAccess.keyCache)
  closing.push(() => keyFeed.close())
  const configUrl = delivery && (await startDelivery(resources, delivery))
  if (delivery) people.uses.collectFrom(() => delivery.takeKeyUses())
  people.uses.start()
  closing.push(() => people.uses.close())
  await keyFeed.refresh()
  keyFeed.start()
  if (!hasApi) return { apiUrl: undefined, configUrl, setupUrl: undefined }
  const apiUrl = await listenForApi(resources, {
    features,
    keyAccess,
    keyFeed,
    delivery,
    people,
    configUrl,
  })
  return { apiUrl, configUrl, setupUrl: await prepareSetup({ store }, apiUrl) }
}

async function startDelivery(resources: Resources, delivery: Delivery): Promise<string> {
  const { listening, closing, stop } = resources
  closing.push(() => delivery.close())
  await delivery.start()
  await delivery.refresh()
  stop.throwIfAborted()
  const { listener, url } = await listenForDelivery(resources, delivery)
  listening.push(() => listener.close())
  return url
}
