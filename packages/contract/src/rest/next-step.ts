import { z } from 'zod/v4'

/**
 * Describes a button that opens the page on which to solve a problem. `href` is the address of one of `pages` below that of the
 * organization, as `toHref` writes it. Example: that of the page `integration` with the kind `chat`.
 */
export const nextStep = z
  .object({ label: z.string(), href: z.string() })
  .meta({ id: 'DashboardStep' })

export type NextStep = z.infer<typeof nextStep>
