import { startForwarder } from '../audit/outlets/forwarder.ts'
import { createNdjsonOutlet } from '../audit/outlets/ndjson-outlet.ts'
import { createOtlpOutlet } from '../audit/outlets/otlp-outlet.ts'
import type { Outlet } from '../audit/outlets/outlet.ts'
import { toEntry } from '../egress/address-guard.ts'
import { createEgress } from '../egress/create-egress.ts'
import type { Feature, Kit } from '../kit.ts'
import { standardOutput } from '../telemetry/log.ts'
import { serverVersion } from '../telemetry/version.ts'

/** Opens the ways on which the audit log leaves the service, where the settings name any. */
export function openAuditOutlets({
  settings,
  store,
  jobs,
  closing,
  log,
  metrics,
  now,
}: Kit): Feature {
  return {
    work() {
      const { otlp, ndjson } = settings.audit
      const outlets: Outlet[] = []
      if (otlp !== undefined) {
        // Its own way out: the receiver may be at a private address, and nothing else may reach it.
        const egress = createEgress({ allow: [toEntry(otlp.url)] })
        closing.push(() => egress.close())
        outlets.push(createOtlpOutlet({ ...otlp, egress, version: serverVersion, now }))
      }
      if (ndjson) outlets.push(createNdjsonOutlet(standardOutput()))
      const deps = { store, now, nodeId: jobs.nodeId, log, metrics }
      const forwarder = startForwarder(deps, outlets)
      closing.push(() => forwarder.close())
      return Promise.resolve()
    },
  }
}
