import type { AnswerOf } from '../../../api/routes.ts'

/** Describes a sync with the code host. */
export type Sync = AnswerOf<'GET /organizations/{org_id}/integrations/codehost/sync/{sync_id}'>

interface Part {
  readonly name: string
  readonly done: number
  /** `null`: the code host has not said how many there are. */
  readonly total: number | null
}

/** Returns how far each part of a sync is. */
export function toParts({ repositories, environments, deployments }: Sync): readonly Part[] {
  return [
    { name: 'Repositories', ...repositories },
    { name: 'Environments', ...environments },
    { name: 'Deployments', ...deployments },
  ]
}

/** Returns `3 of 4`, or `3` where nobody knows of how many. */
export function formatPart({ done, total }: Part): string {
  return total === null ? String(done) : `${done} of ${total}`
}

/** Returns how a sync goes or what it came to; what the server says of it as well: for what it waits, what it could not read. */
export function describeSync({ state, deployments, missedWebhooks, detail }: Sync): string {
  switch (state) {
    case 'queued':
      return 'The sync begins in a moment.'
    case 'running':
      return detail ?? 'Syncing with the code host.'
    case 'failed':
      return detail ?? 'The sync failed.'
    case 'done': {
      const missed =
        missedWebhooks === 0
          ? 'nothing was missing'
          : `${missedWebhooks} of them had not been reported`
      const sentence = `Synced: checked ${deployments.done} ${deployments.done === 1 ? 'deployment' : 'deployments'}, ${missed}.`
      return detail === null ? sentence : `${sentence} ${detail}`
    }
  }
}
