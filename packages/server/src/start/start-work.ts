import { workIntegrations } from '../integrations/jobs.ts'
import { schedule } from '../pipeline.ts'
import { workRetention } from '../retention/jobs.ts'
import type { Features } from './open-features.ts'
import type { Opened } from './start-with-database.ts'

/** Does the jobs of this node, when it is a worker. */
export async function startWork(
  { store, settings, closing, now }: Opened,
  features: Features,
): Promise<void> {
  if (!settings.roles.has('worker')) return
  const { jobs, integrations } = features
  await workRetention(jobs, { store, now })
  await workIntegrations(jobs, integrations)
  for (const [queue, cron] of Object.entries(schedule)) await jobs.schedule(queue, cron)
  closing.push(store.onAnnounce('jobs', () => jobs.wake()))
}
