import { z } from 'zod'

const value = z.union([z.string(), z.number(), z.boolean()])

/** The values of a snapshot that everyone may see. Reads past whatever else the text holds. */
export const openContent = z.object({
  public: z.record(z.string(), value),
  featureFlags: z.record(z.string(), z.boolean()),
})

export const secretContent = z.record(z.string(), value)

export type OpenContent = z.output<typeof openContent>
