import type { ConfigDeps } from '../configs/config-deps.ts'
import type { OpenCodehost } from '../integrations/grants/open-provider.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'

/** Describes what previews work with. */
export interface PreviewDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance' | 'announce'>
  /** Publishes the environments of previews. */
  readonly configs: ConfigDeps
  readonly jobs: Pick<Jobs, 'enqueueAll'>
  readonly openCodehost: OpenCodehost
  readonly log: Pick<Log, 'warn'>
  readonly now: () => Date
}

/** Names the queue that makes and ends the previews of a repository. The job's id is the repository's, or that of a deployment. */
export const followQueue = 'previews.follow'
