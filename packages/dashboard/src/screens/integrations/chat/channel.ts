import type { ItemOf } from '../../../api/routes.ts'

/** Names the endpoint that lists the channels of the chat provider. */
export const channelsRoute = 'GET /organizations/{org_id}/integrations/chat/channels'

/** Describes one channel of the chat provider. */
export type Channel = ItemOf<typeof channelsRoute>
