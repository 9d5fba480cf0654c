import type { components } from '@octokit/openapi-types'
import { addressesOf } from '../shapes/addresses.ts'
import { toApp } from '../shapes/app.ts'
import { toNodeId } from '../shapes/node-id.ts'
import { fullNameOf, repositoryUrl } from '../shapes/repository.ts'
import { toTimestamp } from '../shapes/timestamp.ts'
import type { GithubAnnotation, GithubCheckRun, GithubRepository, GithubState } from '../state.ts'

/** Returns a check run as the REST API shows it. */
export function toCheckRun(state: GithubState, repository: GithubRepository, run: GithubCheckRun) {
  const { id, appId, sha, name, status, conclusion, title, summary, annotations } = run
  const addresses = addressesOf(state)
  const url = `${repositoryUrl(addresses, repository)}/check-runs/${id}`
  const app = state.apps.get(appId)
  return {
    id,
    head_sha: sha,
    node_id: toNodeId('CheckRun', id),
    external_id: run.externalId ?? '',
    url,
    html_url: `${addresses.web}/${fullNameOf(repository)}/runs/${id}`,
    details_url: run.detailsUrl,
    status,
    conclusion,
    started_at: toTimestamp(run.startedAt),
    completed_at: run.completedAt === undefined ? null : toTimestamp(run.completedAt),
    output: {
      title,
      summary,
      text: null,
      annotations_count: annotations.length,
      annotations_url: `${url}/annotations`,
    },
    name,
    check_suite: { id: appId },
    app: app === undefined ? null : toApp(state, app),
    pull_requests: [],
  } satisfies components['schemas']['check-run']
}

/** Returns a line that a check run marks. */
export function toAnnotation({ path, startLine, endLine, level, message }: GithubAnnotation) {
  return {
    path,
    start_line: startLine,
    end_line: endLine,
    start_column: null,
    end_column: null,
    annotation_level: level,
    title: null,
    message,
    raw_details: null,
    blob_href: '',
  } satisfies components['schemas']['check-annotation']
}
