import type { organization } from '@signalbox/contract/rest'
import type { z } from 'zod'
import type { OrganizationRow } from './rows.ts'

/** Returns an organization as the API shows it. */
export function presentOrganization({
  id,
  slug,
  name,
  createdAt,
}: OrganizationRow): z.input<typeof organization> {
  return { id, slug, name, createdAt: createdAt.toISOString() }
}
