import { z } from 'zod'

const value = z.union([z.string(), z.number(), z.boolean()])

/** Describes the values of a snapshot that everyone may see. Other members of the text are ignored. */
export const openContent = z.object({
  public: z.record(z.string(), value),
  featureFlags: z.record(z.string(), z.boolean()),
  variables: z.record(z.string(), z.string()).optional(),
})

/** Describes the secrets of a snapshot: values by key. */
export const secretContent = z.record(z.string(), value)

export type OpenContent = z.output<typeof openContent>
