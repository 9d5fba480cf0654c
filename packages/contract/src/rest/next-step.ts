import { z } from 'zod/v4'

/**
 * Describes a button that opens the page on which to solve a problem. `href` is a path of the dashboard below that of
 * the organization, such as `/integrations/chat`.
 */
export const nextStep = z
  .object({ label: z.string(), href: z.string() })
  .meta({ id: 'DashboardStep' })

export type NextStep = z.infer<typeof nextStep>
