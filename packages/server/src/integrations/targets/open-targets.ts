import type { OpenTarget } from '../grants/open-target.ts'
import type { Feature, Kit } from '../../kit.ts'
import type { ContextOf } from '../../providers/context.ts'
import { runOneAtATime } from '../../store/follow/run-one-at-a-time.ts'
import { enqueueWaitingTargets, workTargets } from './jobs.ts'
import { mountTargets } from './routes.ts'
import type { TargetDeps } from './target-deps.ts'

/** Describes what targets need of integrations. */
interface TargetPorts {
  readonly openTarget: OpenTarget
  readonly contextOf: ContextOf
}

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
      const sweep = runOneAtATime(() => enqueueWaitingTargets(deps))
      const stop = store.onAnnounce('snapshots', () => {
        sweep().catch((error: unknown) => {
          log.warn('Could not look for targets that wait for a run', { error })
        })
      })
      closing.push(stop)
    },
  }
}
