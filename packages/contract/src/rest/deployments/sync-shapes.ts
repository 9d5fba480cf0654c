import { z } from 'zod/v4'
import { id, time } from '../shapes.ts'

/** Describes how much of something is read. */
export const progress = z.object({
  done: z.number().int(),
  /** Counts them in total. `null`: the provider has not reported it. */
  total: z.number().int().nullable(),
})

/** Holds what every sync has. */
export const syncFields = {
  syncId: id('syn'),
  state: z.enum(['queued', 'running', 'done', 'failed']),
  /** Says what it waits for, why it failed, or what it could not read. */
  detail: z.string().nullable(),
  startedAt: time,
  finishedAt: time.nullable(),
} as const
