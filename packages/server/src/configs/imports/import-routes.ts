import { importEndpoints as endpoints, type ImportPlan } from '@signalbox/contract/rest'
import type { Router } from '../../http/router.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { toCaller } from '../to-caller.ts'
import { importConfig } from './import-config.ts'

/** Serves the import from other products. */
export function mountImports(router: Router, deps: ConfigDeps): void {
  router.add(endpoints.importConfig, {
    handle: ({ body, ...request }) => importConfig(deps, toCaller(request), body),
    present: (plan: ImportPlan) => plan,
  })
}
