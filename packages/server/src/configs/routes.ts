import type { Router } from '../http/router.ts'
import type { ConfigDeps } from './config-deps.ts'
import { mountEnvironments } from './environments/environment-routes.ts'
import { mountImports } from './imports/import-routes.ts'
import { mountSegments } from './segments/segment-routes.ts'
import { mountMatrix } from './values/matrix-routes.ts'
import { mountSchemas } from './schemas/schema-routes.ts'
import { mountValues } from './values/value-routes.ts'
import { mountVersions } from './versions/version-routes.ts'

/** Serves the endpoints that manage configuration. `delivery/` serves those that deliver it. */
export function mountConfigs(router: Router, deps: ConfigDeps): void {
  mountEnvironments(router, deps)
  mountSchemas(router, deps)
  mountValues(router, deps)
  mountVersions(router, deps)
  mountMatrix(router, deps)
  mountImports(router, deps)
  mountSegments(router, deps)
}
