import { describeNode } from '../delivery/relay/describe-node.ts'
import { createReporter } from '../delivery/relay/reporter.ts'
import { openKeyAccess } from '../identity/open-key-access.ts'
import type { ProcessKit } from '../kit.ts'
import { makeDataDirectory } from '../store/make-directories.ts'
import { databaseSource } from '../store/open-database.ts'
import { openDeliveryStore } from '../store/open-store.ts'
import { createUseRecorder } from '../identity/use-recorder.ts'
import { createReportRecorder } from '../operation/nodes/record-report.ts'
import { serverVersion } from '../telemetry/version.ts'
import { deliveryRootKeys, sealedNotice } from './root-keys.ts'
import { drainAll } from './listeners/drain-all.ts'
import { listenForDelivery, openDelivery } from './open-delivery.ts'
import type { ShareStatus } from './processes/join-status.ts'
import type { DeliveringService } from './service.ts'

const ownSource = { reporter: 'database', scope: { orgIds: null, environmentIds: null } } as const

/**
 * Starts a process that only delivers. It starts from its disk when the database does not answer. `shareStatus` makes its readiness
 * that of all processes of its node.
 */
export async function startDeliveryOnly(
  kit: ProcessKit,
  shareStatus: ShareStatus = (read) => read,
): Promise<DeliveringService> {
  const { settings, log, now } = kit
  await makeDataDirectory(settings.dataDir)
  const store = await openDeliveryStore({ source: databaseSource(settings), log })
  const keys = deliveryRootKeys(settings)
  const keyAccess = openKeyAccess({ store, log, now })
  const rootKeys = () => keys
  const delivery = openDelivery(kit, { store, rootKeys, keyAccess, checkPerson: undefined })
  const keyFeed = keyAccess.follow(delivery.keyCache)
  await delivery.start()
  // A key that is not read yet is refused with 503, and 100,000 of them take seconds. Without its database the disk has to do.
  await keyFeed.refresh().catch(() => undefined)
  keyFeed.start()
  const uses = createUseRecorder({ store, now, log })
  uses.collectFrom(() => delivery.takeKeyUses())
  uses.start()
  const status = shareStatus(() => delivery.status())
  const listening = await listenForDelivery(kit, { ...delivery, status })
  const { listener, url, port, flagdPort: flagd } = listening
  const reports = createReportRecorder({ store, findKey: () => undefined, now })
  const reporter = createReporter({
    describe: () =>
      describeNode(status(), {
        carrier: 'database',
        fedBy: null,
        version: serverVersion,
        port,
        now: now(),
      }),
    takeUses: () => [],
    send: (report) => reports.recordReport(report, ownSource),
    now,
    log,
  })
  reporter.start(delivery.settled())
  const notices = [store.notice, keys.length === 0 ? sealedNotice : undefined]
  return {
    apiUrl: undefined,
    configUrl: url,
    ports: { delivery: port, flagd },
    setupUrl: undefined,
    notices: notices.filter((notice) => notice !== undefined),
    drain: (pauseMs) => drainAll([listener], pauseMs),
    async close() {
      await listener.close()
      keyFeed.close()
      // At once: each waits for the database when that is away, and a stop has ten seconds.
      await Promise.all([uses.close(), reporter.close(), delivery.close()])
      await store.close()
    },
  }
}
