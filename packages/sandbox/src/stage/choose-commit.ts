import { reachableFrom } from '../github/history.ts'
import type { GithubRepository } from '../github/state.ts'

/** Returns the commit that went live last in an environment. */
function liveIn({ deployments, branches }: GithubRepository, environment: string): string {
  const live = [...deployments.values()].findLast(
    (deployment) =>
      deployment.environment === environment &&
      deployment.statuses.some(({ state }) => state === 'success'),
  )
  return live?.sha ?? branches.get('main') ?? ''
}

/** Returns the newest ancestor of the live commit that was live in the environment before, or else its parent. */
export function findOlder(repository: GithubRepository, environment: string): string {
  const live = liveIn(repository, environment)
  const before = reachableFrom(repository, live)
  const older = [...repository.deployments.values()].findLast(
    (deployment) =>
      deployment.environment === environment &&
      deployment.sha !== live &&
      before.has(deployment.sha),
  )
  return older?.sha ?? repository.commits.get(live)?.parents[0] ?? live
}
