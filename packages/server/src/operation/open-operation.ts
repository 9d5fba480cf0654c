import { serverChain } from '../audit/audit-event.ts'
import type { Feature, Kit } from '../kit.ts'
import { serverVersion } from '../version.ts'
import { checkReadiness, type ReadinessPorts } from './check-readiness.ts'
import { mountLlms } from './llms.ts'
import { mountPages } from './pages.ts'
import { mountOperation, type OperationDeps } from './routes.ts'
import { mountServerStatus } from './server-status.ts'

/** Describes what operation needs of the process. */
export type OperationPorts = ReadinessPorts & Pick<OperationDeps, 'configUrl'>

/** Opens health, readiness, metrics, the status of the server and the documentation. */
export function openOperation(
  { settings, store, metrics, publicUrl, now, stop }: Kit,
  { configUrl, ...ports }: OperationPorts,
): Feature {
  const checks = () => checkReadiness({ store }, ports)
  const status = {
    store,
    version: serverVersion,
    startedAt: now(),
    engine: settings.databaseUrl === undefined ? 'embedded' : 'postgres',
    roles: settings.roles,
    checks,
    serverChain,
  } as const
  return {
    mount(router) {
      const version = serverVersion
      mountOperation(router, { version, metrics, publicUrl, configUrl, checks, stop })
      mountPages(router)
      mountLlms(router)
      mountServerStatus(router, status)
    },
  }
}
