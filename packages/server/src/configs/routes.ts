import type { Router } from '../http/router.ts'
import { mountEnvironments } from './environments/environment-routes.ts'
import { mountImports } from './imports/import-routes.ts'
import { mountPlans } from './plans/plan-routes.ts'
import type { ProofDeps } from './proofs/proof-deps.ts'
import { mountProofs } from './proofs/proof-routes.ts'
import { askingRouter } from './requests/ask-instead.ts'
import type { RequestDeps } from './requests/request-deps.ts'
import { mountRequests } from './requests/request-routes.ts'
import { mountSegments } from './segments/segment-routes.ts'
import { mountSignals } from './signals/signal-routes.ts'
import type { SignalDeps } from './signals/test-signal.ts'
import { mountMatrix } from './values/matrix-routes.ts'
import { mountSchemas } from './schemas/schema-routes.ts'
import { mountValues } from './values/value-routes.ts'
import { mountVersions } from './versions/version-routes.ts'

/** Serves the endpoints that manage configuration. `delivery/` serves those that deliver it. */
export function mountConfigs(router: Router, deps: RequestDeps & ProofDeps & SignalDeps): void {
  const asking = askingRouter(router, deps)
  mountEnvironments(asking, deps)
  mountSchemas(asking, deps)
  mountValues(asking, deps)
  mountVersions(asking, deps)
  mountMatrix(asking, deps)
  mountImports(asking, deps)
  mountSegments(asking, deps)
  mountSignals(asking, deps)
  mountRequests(router, deps)
  mountProofs(router, deps)
  mountPlans(router, asking, deps)
}
