import { reachableFrom } from './history.ts'
import type { GithubRepository } from './state.ts'

/** Returns the commit that went live last in an environment. `undefined`: none did. */
export function findLive(
  { deployments }: GithubRepository,
  environment: string,
): string | undefined {
  return [...deployments.values()].findLast(
    (deployment) =>
      deployment.environment === environment &&
      deployment.statuses.some(({ state }) => state === 'success'),
  )?.sha
}

/** Returns the newest ancestor of the live commit that was live in the environment before, or else its parent. */
export function findOlder(repository: GithubRepository, environment: string): string {
  const live = findLive(repository, environment) ?? repository.branches.get('main') ?? ''
  const before = reachableFrom(repository, live)
  const older = [...repository.deployments.values()].findLast(
    (deployment) =>
      deployment.environment === environment &&
      deployment.sha !== live &&
      before.has(deployment.sha),
  )
  return older?.sha ?? repository.commits.get(live)?.parents[0] ?? live
}
