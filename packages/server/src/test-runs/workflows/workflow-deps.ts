import type { CodehostApi } from '../../providers/codehost.ts'
import type { ShareRead } from './share-reads.ts'
import type { DispatchDeps } from '../test-run-deps.ts'

/** Describes what the endpoints of workflows work with. */
export interface WorkflowDeps extends DispatchDeps {
  /** @throws {Problem} `integration_not_connected`, `reauth_required` */
  readonly openCodehost: (orgId: string) => Promise<CodehostApi>
  /** Shares the reads of lists, each of which names the code host. */
  readonly shareRead: ShareRead<string>
}
