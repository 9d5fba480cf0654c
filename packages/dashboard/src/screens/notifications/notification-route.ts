import type { ItemOf } from '../../api/routes.ts'

/** Describes one route: the deployments that it announces, and the channel. */
export type NotificationRoute = ItemOf<'GET /organizations/{org_id}/notification-routes'>
