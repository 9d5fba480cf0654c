import { z } from 'zod'
import { runStates, type CodehostRun } from '../../providers/codehosts/run.ts'
import type { Tx } from '../../store/store.ts'
import { takeRunEvent } from './run-event-rows.ts'

/** Reads a code host's run as it was stored until it was known what it was started for. */
const keptRun = z.object({
  externalId: z.string(),
  workflowId: z.string(),
  attempt: z.number(),
  state: z.enum(runStates),
  correlation: z.string().nullable(),
  isRequested: z.boolean(),
  isByApp: z.boolean(),
  headSha: z.string(),
  headBranch: z.string().nullable(),
  url: z.string(),
  startedAt: z.coerce.date().nullable(),
  updatedAt: z.coerce.date(),
}) satisfies z.ZodType<CodehostRun>

/** Deletes what was stored of a run and returns it; `undefined` where nothing was. */
export async function takeKeptRun(
  tx: Tx,
  orgId: string,
  of: { readonly repositoryId: string; readonly externalId: string },
): Promise<CodehostRun | undefined> {
  return keptRun.safeParse(await takeRunEvent(tx, orgId, of)).data
}
