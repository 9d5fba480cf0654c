import type { Feature, Kit } from '../kit.ts'
import { workRetention } from './jobs.ts'

/** Opens the jobs that delete what is kept no longer. */
export function openRetention({ settings, store, jobs, now }: Kit): Feature {
  return { work: () => workRetention(jobs, { store, keptFor: settings.keptFor, now }) }
}
