import type { CodehostApi } from '../providers/codehost.ts'
import type { DispatchDeps } from './test-run-deps.ts'

/** What the endpoints of workflows ask of the service. */
export interface WorkflowDeps extends DispatchDeps {
  /** @throws {Problem} `integration_not_connected`, `reauth_required` */
  readonly openCodehost: (orgId: string) => Promise<CodehostApi>
}
