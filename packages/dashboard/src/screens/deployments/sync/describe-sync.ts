import type { AnswerOf } from '../../../api/routes.ts'

/** Describes a sync with the code host. */
export type Sync = AnswerOf<'GET /organizations/{org_id}/integrations/codehost/sync/{sync_id}'>

/** Describes a sync of the issues that deployments name. */
export type IssueSync = AnswerOf<'GET /organizations/{org_id}/integrations/tracker/sync/{sync_id}'>

/** Describes how far a part of a sync is. */
export interface Part {
  readonly name: string
  readonly done: number
  /** Holds the total. `null`: the code host has not reported it. */
  readonly total: number | null
}

/** Returns the progress of each part of a sync. */
export function toParts({
  repositories,
  webhooks,
  environments,
  deployments,
}: Sync): readonly Part[] {
  return [
    { name: 'Repositories', ...repositories },
    // A provider with one webhook for all repositories has none to create.
    ...((webhooks.total ?? 0) > 0 ? [{ name: 'Webhooks', ...webhooks }] : []),
    { name: 'Environments', ...environments },
    { name: 'Deployments', ...deployments },
  ]
}

/** Returns `3 of 4`, or `3` without a total. */
export function formatPart({ done, total }: Part): string {
  return total === null ? String(done) : `${done} of ${total}`
}

/**
 * Returns the progress or the result of a sync in words, with the cause of a pause and of gaps. `host`: the name of the
 * synced provider.
 */
export function describeSync(
  { state, deployments, missedWebhooks, detail }: Sync,
  host: string,
): string {
  switch (state) {
    case 'queued':
      return 'The sync starts in a moment.'
    case 'running':
      return detail ?? `Syncing with ${host}.`
    case 'failed':
      return detail ?? 'The sync failed.'
    case 'done': {
      const missed =
        missedWebhooks === 0 ? 'none was missing' : `${missedWebhooks} of them without a webhook`
      const sentence = `Synced: checked ${deployments.done} ${deployments.done === 1 ? 'deployment' : 'deployments'}, ${missed}.`
      return detail === null ? sentence : `${sentence} ${detail}`
    }
  }
}

/** Returns the progress or the result of a sync of issues in words. `tracker`: the name of the provider. */
export function describeIssueSync(
  { state, issues: { done }, changedIssues, detail }: IssueSync,
  tracker: string,
): string {
  switch (state) {
    case 'queued':
      return 'The sync starts in a moment.'
    case 'running':
      return detail ?? `Reading issues from ${tracker}.`
    case 'failed':
      return detail ?? 'The sync failed.'
    case 'done': {
      if (done === 0) return 'Synced: no recent deployment names an issue.'
      const changed = changedIssues === 0 ? 'none had changed' : `${changedIssues} had changed`
      return `Synced: read ${done} ${done === 1 ? 'issue' : 'issues'}, ${changed}.`
    }
  }
}
