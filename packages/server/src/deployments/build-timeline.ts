import type { ResponseOf, deploymentEndpoints } from '@signalbox/contract/rest'
import type { DeploymentView } from './get-deployment.ts'

type Entry = ResponseOf<typeof deploymentEndpoints.getDeployment>['timeline'][number]

interface TimedEntry extends Omit<Entry, 'at'> {
  readonly at: Date
}

const nothing = { detail: null, url: null }

/** What happened to a deployment, oldest first, with what was left out and why. */
export function buildTimeline(view: DeploymentView): Entry[] {
  return [
    createdEntry(view),
    ...view.statuses.map((status) => ({
      at: status.at,
      kind: 'status' as const,
      title: `Reported as ${status.state}`,
      detail: status.description,
      url: status.logUrl,
    })),
    ...configEntries(view),
    ...commitEntries(view),
    ...issueEntries(view),
    ...view.testRuns.map((run) => ({
      at: run.finishedAt ?? run.startedAt ?? run.createdAt,
      kind: 'test_run' as const,
      title: `Test run ${run.name}: ${run.state}`,
      detail: run.stateReason,
      url: run.url,
    })),
    ...view.messages.map((message) => ({
      at: message.updatedAt,
      kind:
        message.state === 'broken' || message.state === 'held'
          ? ('skipped' as const)
          : ('message' as const),
      title: `Message to ${message.channelName ?? 'the default channel'}: ${message.state}`,
      detail: message.reason,
      url: null,
    })),
  ]
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() }))
}

const sources = {
  webhook: 'The code host told of it.',
  sync: 'It was found at the code host; no webhook had told of it.',
  api: 'A pipeline reported it.',
}

function createdEntry({ deployment }: DeploymentView): TimedEntry {
  const { createdAt, hostEnvironment, source } = deployment
  const title = `Created for ${hostEnvironment}`
  return { ...nothing, at: createdAt, kind: 'created', title, detail: sources[source] }
}

function configEntries({ deployment }: DeploymentView): TimedEntry[] {
  const { configVersions, finishedAt } = deployment
  if (configVersions === null || configVersions.length === 0 || finishedAt === null) return []
  const versions = configVersions.map(({ schemaId, version }) => `${schemaId} at ${version}`)
  const title = 'Went live with its configuration'
  return [
    { ...nothing, at: finishedAt, kind: 'config_version', title, detail: versions.join(', ') },
  ]
}

function commitEntries({ deployment: { range, commitsSkipped } }: DeploymentView): TimedEntry[] {
  const skipped =
    commitsSkipped === null
      ? []
      : [
          {
            ...nothing,
            at: new Date(commitsSkipped.at),
            kind: 'skipped' as const,
            title: 'Its commits were not compared',
            detail: commitsSkipped.reason,
          },
        ]
  if (range === null) return skipped
  const title = `${range.total} ${range.total === 1 ? 'commit' : 'commits'} compared`
  const detail = range.truncated ? 'There are more than are shown.' : null
  const at = new Date(range.comparedAt)
  return [{ ...nothing, at, kind: 'commits', title, detail }, ...skipped]
}

function issueEntries({ deployment, issues }: DeploymentView): TimedEntry[] {
  const at = latest(issues.flatMap(({ fetchedAt }) => fetchedAt ?? []))
  const left = issues.filter(({ state }) => state !== 'linked')
  const linked = issues.length - left.length
  const found: TimedEntry[] =
    at === undefined ? [] : [{ ...nothing, at, kind: 'issues', title: `${linked} issues linked` }]
  return [
    ...found,
    ...left.map(({ key, state, reason, askedAt }) => ({
      ...nothing,
      at: askedAt ?? at ?? deployment.createdAt,
      kind: 'skipped' as const,
      title: `${key} is ${state.replace('_', ' ')}`,
      detail: reason,
    })),
  ]
}

function latest(moments: readonly Date[]): Date | undefined {
  return moments.toSorted((a, b) => b.getTime() - a.getTime())[0]
}
