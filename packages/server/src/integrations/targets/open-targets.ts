import type { OpenTarget } from '../grants/open-target.ts'
import type { Feature, Kit } from '../../kit.ts'
import type { ContextOf } from '../../providers/context.ts'
import { createSharedPoll } from '../../store/follow/shared-poll.ts'
import { enqueueWaitingTargets, workTargets } from './jobs.ts'
import { mountTargets } from './routes.ts'
import type { TargetDeps } from './target-deps.ts'

/** Describes what targets need of integrations. */
interface TargetPorts {
  readonly openTarget: OpenTarget
  readonly contextOf: ContextOf
}

/** Keeps many writes in a row from as many looks: most of them concern no target. */
const sweepLimits = { spacingMs: 200, limitMs: 10_000 } as const

/** Opens targets: the destinations of environments, and writing their values there. */
export function openTargets(
  { store, keys, jobs, closing, log, now }: Kit,
  { openTarget, contextOf }: TargetPorts,
): Feature {
  const deps: TargetDeps = { store, keys, jobs, openTarget, contextOf, now }
  return {
    mount: (router) => mountTargets(router, deps),
    async work() {
      await workTargets(jobs, deps)
      // A lost announcement costs a minute: the schedule looks as well.
      const sweep = createSharedPoll(() => enqueueWaitingTargets(deps), sweepLimits)
      const stop = store.onAnnounce('snapshots', () => {
        sweep().catch((error: unknown) => {
          log.warn('Could not look for targets that wait for a run', { error })
        })
      })
      closing.push(stop)
    },
  }
}
