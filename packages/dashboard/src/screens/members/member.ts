import type { ItemOf } from '../../api/routes.ts'

/** Describes one member of the organization. */
export type Member = ItemOf<'GET /organizations/{org_id}/members'>
