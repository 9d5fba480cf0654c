import type { Overview } from '@signalbox/contract/rest'
import type { ConfigSummary } from '../configs/summarize-configs.ts'
import { repositoriesMax, type OverviewView } from './get-overview.ts'
import { listAttention } from './list-attention.ts'
import { listSetupSteps } from './list-setup-steps.ts'
import type { EnvironmentStatus, PlacedDeployment } from '../read-models/overview/overview-rows.ts'
import type { LiveTarget } from '../read-models/overview/live-target-rows.ts'

/** Presents the front page as the API shows it. */
export function presentOverview(view: OverviewView): Overview {
  const repositories = presentRepositories(view.targets)
  return {
    environments: view.environments.map((environment) => presentStatus(environment, view)),
    repositories: repositories.slice(0, repositoriesMax),
    hasMoreRepositories: repositories.length > repositoriesMax,
    needsYou: listAttention(view),
    setup: listSetupSteps(view),
  }
}

function presentRepositories(targets: readonly LiveTarget[]): Overview['repositories'] {
  const byRepository = Map.groupBy(targets, ({ repositoryId }) => repositoryId)
  return [...byRepository.values()].map((rows) => ({
    repository: rows[0]?.repository ?? '',
    targets: rows.map(({ environmentId, latest, live, liveCount, tests }) => ({
      environmentId,
      latest: presentDeployment(latest),
      live: live && presentDeployment(live),
      liveCount,
      tests: tests && presentTests(tests),
    })),
  }))
}

function presentStatus(
  { id, name, production, latest, live, tests }: EnvironmentStatus,
  { configs }: OverviewView,
): Overview['environments'][number] {
  const config = configs.environments.get(id)
  return {
    id,
    name,
    production,
    latest: latest && presentDeployment(latest),
    live: live && presentDeployment(live),
    tests: tests && presentTests(tests),
    missingKeys: config?.missing ?? 0,
    missingBySchema: (config?.missingIn ?? []).map(({ keys: _keys, ...missing }) => missing),
    drift: config?.drift === undefined ? null : presentDrift(config.drift),
  }
}

function presentDrift({ bySchema, ...drift }: NonNullable<ConfigSummary['drift']>) {
  return { ...drift, bySchema: [...bySchema] }
}

function presentTests({ at: _at, ...tests }: NonNullable<EnvironmentStatus['tests']>) {
  return tests
}

function presentDeployment({ message, at, ...deployment }: PlacedDeployment) {
  return { ...deployment, title: firstLine(message), at: new Date(at).toISOString() }
}

/** Returns the first line of a commit's message as its title; `null` when the message is empty or not known. */
export function firstLine(message: string | null): string | null {
  const [line = ''] = (message ?? '').split('\n', 1)
  return line.trim() === '' ? null : line.trim()
}
