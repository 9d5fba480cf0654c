import type { ItemOf } from '../../api/routes.ts'

/** Describes one route: which deployments are told in which channel. */
export type NotificationRoute = ItemOf<'GET /organizations/{org_id}/notification-routes'>
