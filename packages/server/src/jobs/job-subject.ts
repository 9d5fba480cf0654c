import { z } from 'zod'

/** Describes the data of a job about one thing of an organization. */
export const jobSubject = z.object({ orgId: z.string(), id: z.string() })
