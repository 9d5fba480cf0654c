import type { Log } from '../telemetry/log.ts'

/**
 * Creates the warnings, one for each organization. The start is not refused: an organization may be made later, and is published from then on.
 */
export function createUnknownOrganizations(log: Pick<Log, 'warn'>) {
  let before: ReadonlySet<string> = new Set()
  return {
    /** Warns of those that were not unknown at the call before. */
    note(references: readonly string[]): void {
      const unknown = new Set(references)
      const fresh = [...unknown].filter((reference) => !before.has(reference))
      before = unknown
      if (fresh.length === 0) return
      log.warn(
        'SIGNALBOX_NATS_GROUPS names organizations that do not exist, and nothing is published for them. Correct their ids or slugs, unless they are made later',
        { setting: 'SIGNALBOX_NATS_GROUPS', detail: fresh.join(', ') },
      )
    },
  }
}
