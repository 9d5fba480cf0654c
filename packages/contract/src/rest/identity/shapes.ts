import { z } from 'zod/v4'
import { displayName, id, personName, slug, time } from '../shapes.ts'

/** Describes an organization as it crosses the wire. */
export const organization = z
  .object({ id: id('org'), slug, name: displayName, createdAt: time })
  .meta({ id: 'Organization' })

/** Describes a user as it crosses the wire. */
export const user = z
  .object({ id: id('usr'), name: personName, email: z.string() })
  .meta({ id: 'User' })
