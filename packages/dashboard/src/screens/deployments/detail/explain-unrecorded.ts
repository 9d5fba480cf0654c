import type { Detail } from './detail.ts'

/** Lists the states of a deployment that ended without going live. */
const failed: ReadonlySet<Detail['state']> = new Set(['failure', 'error'])

/** Lists the states of a deployment that may still go live. */
const unfinished: ReadonlySet<Detail['state']> = new Set([
  'waiting',
  'queued',
  'pending',
  'in_progress',
])

/** Explains why a deployment has no configuration. It is recorded at the moment when the deployment goes live. */
export function explainUnrecorded({
  state,
  environmentId,
}: Pick<Detail, 'state' | 'environmentId'>): string {
  if (failed.has(state)) return 'Not recorded. The deployment didn’t go live.'
  if (unfinished.has(state)) return 'Recorded when the deployment goes live.'
  if (environmentId === null)
    return 'Not recorded. No environment of Signalbox is mapped to this one.'
  return 'Not recorded. This environment had no values at the time.'
}
