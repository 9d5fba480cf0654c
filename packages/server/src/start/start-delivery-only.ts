import { openKeyAccess } from '../identity/open-key-access.ts'
import type { ProcessKit } from '../kit.ts'
import { makeDataDirectory } from '../store/make-directories.ts'
import { databaseSource } from '../store/open-database.ts'
import { openDeliveryStore } from '../store/open-store.ts'
import { createUseRecorder } from '../identity/use-recorder.ts'
import { deliveryRootKeys, sealedNotice } from './delivery-root-keys.ts'
import { drainAll } from './drain-all.ts'
import { listenForDelivery, openDelivery } from './open-delivery.ts'
import type { Service } from './service.ts'

/** Starts a process that only delivers. It starts from its disk when the database does not answer. */
export async function startDeliveryOnly(kit: ProcessKit): Promise<Service> {
  const { settings, log, now } = kit
  await makeDataDirectory(settings.dataDir)
  const store = await openDeliveryStore({ source: databaseSource(settings), log })
  const keys = deliveryRootKeys(settings)
  const keyAccess = openKeyAccess({ store, log, now })
  const rootKeys = () => keys
  const delivery = openDelivery(kit, { store, rootKeys, keyAccess, checkPerson: undefined })
  const keyFeed = keyAccess.follow(delivery.keyCache)
  await delivery.start()
  keyFeed.start()
  const uses = createUseRecorder({ store, now, log })
  uses.collectFrom(() => delivery.takeKeyUses())
  uses.start()
  const { listener, url } = await listenForDelivery(kit, delivery)
  const notices = [store.notice, keys.length === 0 ? sealedNotice : undefined]
  return {
    apiUrl: undefined,
    configUrl: url,
    setupUrl: undefined,
    notices: notices.filter((notice) => notice !== undefined),
    drain: (pauseMs) => drainAll([listener], pauseMs),
    async close() {
      await listener.close()
      keyFeed.close()
      // At once: each waits for the database when that is away, and a stop has ten seconds.
      await Promise.all([uses.close(), delivery.close()])
      await store.close()
    },
  }
}
