import type { ItemOf } from '../../../api/routes.ts'

/** Describes one deployment of the list. */
export type Deployment = ItemOf<'GET /organizations/{org_id}/deployments'>
