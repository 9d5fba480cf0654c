import {
  operationEndpoints as endpoints,
  endpoints as allEndpoints,
} from '@signalbox/contract/rest'
import { renderDocsPage } from '../http/answers/docs-page.ts'
import type { RawAnswer } from '../http/input/endpoint-request.ts'
import { renderOpenApi } from '../http/openapi/openapi.ts'
import type { Router } from '../http/router.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { toReadiness, type ReadinessCheck } from './readiness.ts'
import { share } from './share.ts'

/** Describes the dependencies of the endpoints for operators. */
export interface OperationDeps {
  readonly version: string
  readonly metrics: Pick<Metrics, 'render' | 'contentType'>
  readonly publicUrl: () => string
  readonly configUrl: () => string
  /** Checks everything that this process needs, anew with each call. */
  readonly checks: () => Promise<Readonly<Record<string, ReadinessCheck>>>
  /** Aborted once the process stops: it then answers what comes, and says that it is to get no more. */
  readonly stop: AbortSignal
}

/** Shares an answer for a second: anybody may call, and checks and metrics are computed once in that time. */
const sharedForMs = 1_000

/** Mounts the endpoints for operators: health, readiness, metrics, and the description of the API. */
export function mountOperation(router: Router, deps: OperationDeps): void {
  const { version, metrics } = deps
  const readReadiness = share(async () => renderReadiness(await deps.checks()), sharedForMs)
  const renderMetrics = share(() => metrics.render(), sharedForMs)
  const describeApi = rememberApiDescription(deps)
  router
    .add(endpoints.readHealth, {
      handle: async () => version,
      present: (running) => ({ status: 'ok' as const, version: running }),
    })
    .addRaw(endpoints.readReadiness, async () =>
      deps.stop.aborted ? renderReadiness(stopping) : readReadiness(),
    )
    .addRaw(endpoints.readMetrics, async () => ({
      status: 200,
      headers: { 'Content-Type': metrics.contentType },
      body: await renderMetrics(),
    }))
    .addRaw(endpoints.readOpenApi, async () => describeApi().document)
    .addRaw(endpoints.readDocs, async () => describeApi().page)
}

const stopping = { process: { ok: false, detail: 'It stops.' } } as const

function renderReadiness(checks: Readonly<Record<string, ReadinessCheck>>): RawAnswer {
  const readiness = toReadiness(checks)
  return {
    status: readiness.status === 'ready' ? 200 : 503,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(readiness),
  }
}

interface ApiDescription {
  readonly document: RawAnswer
  readonly page: RawAnswer
}

/** Renders the description with the first request, once: the addresses in it are known only after the start. */
function rememberApiDescription({
  version,
  publicUrl,
  configUrl,
}: OperationDeps): () => ApiDescription {
  let rendered: ApiDescription | undefined
  return () => {
    if (rendered !== undefined) return rendered
    const urls = { publicUrl: publicUrl(), configUrl: configUrl() }
    const openApi = renderOpenApi(Object.values(allEndpoints), { version, ...urls })
    const document = {
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(openApi),
    }
    rendered = { document, page: renderDocsPage(openApi) }
    return rendered
  }
}
