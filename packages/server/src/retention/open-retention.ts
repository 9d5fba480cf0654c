import type { Feature, Kit } from '../kit.ts'
import { workRetention } from './jobs.ts'

/** Opens the jobs that delete what is kept no longer. */
export function openRetention({ settings, log, store, jobs, now }: Kit): Feature {
  return { work: () => workRetention(jobs, { store, log, keptFor: settings.keptFor, now }) }
}
