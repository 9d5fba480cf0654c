import { openFeatures, type OpenedBefore } from '../app.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { createCheckPerson } from '../identity/check-person.ts'
import { openKeyAccess } from '../identity/open-key-access.ts'
import { openPeople } from '../identity/open-people.ts'
import { prepareSetup } from '../identity/setup/prepare-setup.ts'
import { createEmit } from '../jobs/emit.ts'
import type { Closing, Kit, Listening, ProcessKit } from '../kit.ts'
import { createReportRecorder, type ReportRecorder } from '../operation/nodes/record-report.ts'
import { reactions } from '../pipeline.ts'
import { makeDataDirectory } from '../store/make-directories.ts'
import { databaseSource } from '../store/open-database.ts'
import { openStore } from '../store/open-store.ts'
import { keepOrganizationKeys } from '../vault/keep-organization-keys.ts'
import { keepPublisherKeys } from '../vault/keep-publisher-keys.ts'
import { openRootKeys } from '../vault/open-root-keys.ts'
import { drainAll } from './listeners/drain-all.ts'
import { listenForApi } from './listeners/listen-for-api.ts'
import { listenForDelivery, openDelivery } from './open-delivery.ts'
import { openJobs, startWork } from './open-jobs.ts'
import type { Service } from './service.ts'

/** Starts a process with the API or the worker, and usually the delivery as well. It needs the database to start. */
export async function startWithDatabase(process: ProcessKit): Promise<Service> {
  const { settings, stop } = process
  // These steps run first and at once: each listener may have a slow client.
  const listening: Listening[] = []
  const closing: Closing = []
  const close = async () => {
    await Promise.all(listening.map((listener) => listener.close()))
    for (const step of closing.toReversed()) await step()
  }
  try {
    const address = { url: settings.publicUrl ?? '' }
    const kit = await openKit(process, { address, closing })
    stop.throwIfAborted()
    const before = await openBefore(kit, { address, listening })
    const features = await openFeatures(kit, before)
    stop.throwIfAborted()
    const apiUrl = settings.roles.has('api')
      ? await listenForApi(kit, { ...before, features, address, listening })
      : undefined
    const setupUrl = apiUrl === undefined ? undefined : await prepareSetup(kit, apiUrl)
    if (settings.roles.has('worker')) await startWork(kit, features)
    stop.throwIfAborted()
    const notices = kit.store.notice === undefined ? [] : [kit.store.notice]
    const configUrl = before.delivery && before.configUrl()
    const drain = (pauseMs: number) => drainAll(listening, pauseMs)
    return { apiUrl, configUrl, setupUrl, notices, drain, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Holds the address at which browsers reach the API. With port 0 it is known only once the API listens. */
interface Address {
  url: string
}

async function openKit(
  process: ProcessKit,
  { address, closing }: { readonly address: Address; readonly closing: Closing },
): Promise<Kit> {
  const { settings, log, now, stop } = process
  const store = await openStore({ source: databaseSource(settings), log, signal: stop })
  closing.push(() => store.close())
  const { dataDir, rootKeys: configured, rootKeyCommand: command } = settings
  const setting = command === undefined ? 'SIGNALBOX_ROOT_KEY' : 'SIGNALBOX_ROOT_KEY_COMMAND'
  // After the database: an embedded one gives the user of PostgreSQL access to this directory.
  await makeDataDirectory(dataDir)
  const rootKeys = await openRootKeys({ store }, { configured, setting, dataDir })
  const keys = keepOrganizationKeys({ store, rootKeys, closing, log, now })
  const publisherKeys = await keepPublisherKeys({ store, rootKeys, closing, log })
  process.metrics.watchEpoch(() => publisherKeys.signer().epoch)
  stop.throwIfAborted()
  const jobs = await openJobs(process, { store, closing })
  const emit = createEmit(jobs, reactions)
  const publicUrl = () => address.url
  return { ...process, store, rootKeys, keys, publisherKeys, jobs, emit, publicUrl, closing }
}

async function openPublisher(
  kit: Kit,
  { recordReport }: ReportRecorder,
): Promise<OpenedBefore['publication']> {
  const { nats, roles } = kit.settings
  if (nats === undefined || !roles.has('worker')) return undefined
  const { openNatsPublisher } = await import('../nats/open-nats-publisher.ts')
  return openNatsPublisher(kit, nats, recordReport)
}

/** Opens the keys and the delivery before the features, so that the delivery serves the API's first commit. */
async function openBefore(
  kit: Kit,
  { address, listening }: { readonly address: Address; readonly listening: Listening[] },
): Promise<OpenedBefore> {
  const { settings, store, rootKeys, publisherKeys, closing } = kit
  const keyAccess = openKeyAccess(kit)
  const people = openPeople(kit, keyAccess)
  const checkPerson = settings.roles.has('api')
    ? createCheckPerson({ ...kit, authenticate: people.authenticate })
    : undefined
  const findKey = (keyId: string) => keyAccess.keyCache.findById(keyId)
  const reports = createReportRecorder({ ...kit, findKey })
  const delivery = settings.roles.has('delivery')
    ? openDelivery(kit, { store, rootKeys, keyAccess, checkPerson, publisherKeys, ...reports })
    : undefined
  const keyFeed = keyAccess.follow(delivery?.keyCache ?? keyAccess.keyCache)
  closing.push(() => keyFeed.close())
  const ownUrl = delivery && (await startDelivery(kit, delivery, listening))
  if (delivery) people.uses.collectFrom(() => delivery.takeKeyUses())
  people.uses.collectFrom(() => reports.takeUses())
  people.uses.start()
  closing.push(() => people.uses.close())
  await keyFeed.refresh()
  keyFeed.start()
  const configUrl = () => ownUrl ?? settings.configUrl ?? address.url
  const publication = await openPublisher(kit, reports)
  return { people, keyAccess, keyFeed, delivery, configUrl, publication }
}

async function startDelivery(
  kit: Kit,
  delivery: Delivery,
  listening: Listening[],
): Promise<string> {
  const { closing, stop } = kit
  closing.push(() => delivery.close())
  await delivery.start()
  await delivery.refresh()
  stop.throwIfAborted()
  const { listener, url } = await listenForDelivery(kit, delivery)
  listening.push(listener)
  return url
}
