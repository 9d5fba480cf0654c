import type { Feature, Kit } from '../kit.ts'
import type { ConfigDeps } from './config-deps.ts'
import { withoutRequest } from '../config-model/approval-check.ts'
import { createPublishedQuota } from './publication/published-quota.ts'
import { mountConfigs } from './routes.ts'
import { workRequests } from './requests/jobs.ts'
import { workDueSecrets } from './due-secrets/jobs.ts'
import type { ProofDeps } from './proofs/proof-deps.ts'
import { watchProofs } from './proofs/watch-proofs.ts'
import { repeatTasks } from '../jobs/repeat-tasks.ts'
import { advancePlans } from './plans/advance-plans.ts'
import { workSigning } from './signing/jobs.ts'
import { createSchemaCache } from './schemas/schema-cache.ts'
import { createConfigSummarizer, type ConfigSummarizer } from './summarize-configs.ts'

/** Holds the feature, and what others show of it. */
export interface Configs extends Feature {
  readonly summarizer: ConfigSummarizer
  /** Holds what previews publish with. */
  readonly deps: ConfigDeps
}

/** Sets how often proofs and plans that are due are looked for, in milliseconds. */
const pollEveryMs = 3_000

/** Opens schemas, environments, values and versions. */
export function openConfigs(
  { settings, store, keys, publisherKeys, emit, jobs, closing, publicUrl, log, now }: Kit,
  ports: Pick<ConfigDeps, 'isChatConnected' | 'noteSecretRead' | 'egress'> &
    Pick<ProofDeps, 'proofPorts' | 'signalReader'>,
): Configs {
  const deps = { store, keys, publisherKeys }
  const schemas = createSchemaCache()
  const quota = createPublishedQuota({ store, limits: settings.publishedLimits, now })
  const all = {
    ...deps,
    schemas,
    emit,
    ...ports,
    quota,
    publicUrl,
    approvalCheck: withoutRequest,
    jobs,
    now,
  }
  const tasks = [
    { everyMs: pollEveryMs, work: () => watchProofs(all) },
    { everyMs: pollEveryMs, work: () => advancePlans(all) },
  ]
  const onError = (error: unknown) => {
    log.error('Watched changes and rollouts were not looked at', { error })
  }
  return {
    summarizer: createConfigSummarizer({ schemas, keys }),
    deps: all,
    mount: (router) => {
      mountConfigs(router, all)
    },
    async work() {
      await workRequests(jobs, all)
      await workSigning(jobs, deps)
      await workDueSecrets(jobs, { store, now })
      closing.push(repeatTasks(tasks, onError))
    },
  }
}
