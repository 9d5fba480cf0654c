import { z } from 'zod'

/** Describes the part of an input that pages a list. */
export const pageInput = {
  limit: z.number().int().min(1).max(50).default(20),
  cursor: z.string().max(1000).optional().describe('nextCursor of the answer before'),
}
