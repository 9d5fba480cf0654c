import { silentLog } from '../../telemetry/log.ts'
import { createClientAddress } from '../admission/client-address.ts'
import { createBodyBudget } from '../input/body-budget.ts'
import { createCredentialGuard } from '../admission/credential-guard.ts'
import { createCursors } from '../input/cursors.ts'
import { createHashRequest } from '../admission/idempotency-key.ts'
import { createRateLimiter } from '../admission/rate-limit.ts'
import { createRouter, type Router } from '../router.ts'
import type { RouterDeps } from '../serve-endpoint.ts'

/** A router for tests in process: no rate limits, checked answers, nobody known. Override what the test is about. */
export function createTestRouter(deps: Partial<RouterDeps> = {}): Router {
  const limiter = deps.limiter ?? createRateLimiter('off')
  return createRouter({
    authenticate: () => Promise.resolve(undefined),
    resolveOrganization: () => Promise.resolve(undefined),
    isOperator: () => Promise.resolve(false),
    limiter,
    guard: createCredentialGuard(limiter),
    cursors: createCursors(Buffer.alloc(32, 1)),
    hashRequest: createHashRequest(Buffer.alloc(32, 2)),
    bodies: createBodyBudget(),
    publicUrl: () => 'http://127.0.0.1:4400',
    clientAddress: createClientAddress([]),
    log: silentLog,
    metrics: { recordRequest() {}, recordRateLimited() {} },
    now: () => new Date(),
    checkAnswers: true,
    ...deps,
  })
}
