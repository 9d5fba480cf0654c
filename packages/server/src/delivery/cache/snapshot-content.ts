import { configValue } from '@signalbox/contract/rest'
import { z } from 'zod'

/** Describes the values of a snapshot that everyone may see. Other members of the text are ignored. */
export const openContent = z.object({
  public: z.record(z.string(), configValue),
  featureFlags: z.record(z.string(), z.boolean()),
  variables: z.record(z.string(), z.string()).optional(),
})

/** Describes the secrets of a snapshot: values by key. */
export const secretContent = z.record(z.string(), configValue)

export type OpenContent = z.output<typeof openContent>
