import { toCaller } from '../../audit/caller.ts'
import { codehostEndpoints as endpoints } from '@signalbox/contract/rest'
import type { Router } from '../../http/router.ts'
import type { ConnectorOf } from '../../integrations/connect/connectors.ts'
import { presentCodehost, readCodehost } from './codehost-status.ts'
import { updateCodehost } from './codehost-update.ts'
import { presentSync } from '../sync/present-sync.ts'
import { getSync, startSync } from '../sync/start-sync.ts'
import type { SyncDeps } from '../sync/sync-work.ts'

/** Describes what the endpoints of the code host work with. */
export interface CodehostRoutesDeps extends SyncDeps {
  readonly connectorOf: ConnectorOf
}

/** Mounts what people see and choose of a code host, and fetching what it has. */
export function mountCodehost(router: Router, deps: CodehostRoutesDeps): void {
  const { store, connectorOf } = deps
  router
    .add(endpoints.getCodehost, {
      handle: (request) => {
        const { orgId, scope } = toCaller(request)
        return store.transaction(scope, (tx) => readCodehost(tx, orgId))
      },
      present: (view) => presentCodehost(view, connectorOf),
    })
    .add(endpoints.updateCodehost, {
      handle: (request) => updateCodehost(deps, toCaller(request), request.body),
      present: (view) => presentCodehost(view, connectorOf),
    })
    .add(endpoints.setKeyWorkflows, {
      handle: (request) => updateCodehost(deps, toCaller(request), request.body),
      present: (view) => presentCodehost(view, connectorOf),
    })
    .add(endpoints.startSync, {
      handle: (request) => startSync(deps, toCaller(request)),
      present: presentSync,
    })
    .add(endpoints.getSync, {
      handle: (request) =>
        getSync(deps, toCaller(request), { id: request.params.sync_id, of: 'codehost' }),
      present: presentSync,
    })
}
