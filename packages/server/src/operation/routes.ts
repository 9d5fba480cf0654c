import {
  endpoints as allEndpoints,
  operationEndpoints as endpoints,
} from '@signalbox/contract/rest'
import { renderDocsPage } from '../http/docs-page.ts'
import { renderOpenApi } from '../http/openapi.ts'
import type { Router } from '../http/router.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { toReadiness, type ReadinessCheck } from './readiness.ts'

export interface OperationDeps {
  readonly version: string
  readonly metrics: Pick<Metrics, 'render' | 'contentType'>
  readonly publicUrl: () => string
  readonly configUrl: () => string
  /** How the things this process needs stand, each asked anew. */
  readonly checks: () => Promise<Readonly<Record<string, ReadinessCheck>>>
}

/** What those who run the service ask it: is it there, can it serve, what does it count, what does it offer. */
export function mountOperation(router: Router, deps: OperationDeps): void {
  const { version, metrics, checks } = deps
  const describe = () =>
    renderOpenApi(Object.values(allEndpoints), {
      version,
      publicUrl: deps.publicUrl(),
      configUrl: deps.configUrl(),
    })
  router
    .add(endpoints.readHealth, {
      handle: async () => version,
      present: (running) => ({ status: 'ok' as const, version: running }),
    })
    .addRaw(endpoints.readReadiness, async () => {
      const readiness = toReadiness(await checks())
      return {
        status: readiness.status === 'ready' ? 200 : 503,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(readiness),
      }
    })
    .addRaw(endpoints.readMetrics, async () => ({
      status: 200,
      headers: { 'Content-Type': metrics.contentType },
      body: await metrics.render(),
    }))
    .add(endpoints.readOpenApi, { handle: async () => describe(), present: (document) => document })
    .addRaw(endpoints.readDocs, async () => renderDocsPage(describe()))
}
