import type { ItemOf } from '../../api/routes.ts'

/** Describes one key of the list of API keys, without its secret. */
export type ApiKey = ItemOf<'GET /organizations/{org_id}/api-keys'>
