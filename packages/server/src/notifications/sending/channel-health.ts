import { saveDefaultChannelHealth, type ChannelOutcome } from '../../integrations/chat-rows.ts'
import type { Tx } from '../../store/store.ts'
import { defaultRouteId } from '../routing/match-route.ts'
import { saveRouteHealth } from '../routing/route-rows.ts'

/** Describes how a message to the channel of a route fared. */
export interface MessageOutcome extends ChannelOutcome {
  readonly routeId: string
}

/** Saves how the last message fared, of the route, or of the default channel where there is none. */
export async function saveChannelHealth(
  tx: Tx,
  orgId: string,
  { routeId, ...outcome }: MessageOutcome,
): Promise<void> {
  if (routeId === defaultRouteId) {
    await saveDefaultChannelHealth(tx, orgId, outcome)
  } else {
    await saveRouteHealth(tx, orgId, { id: routeId, ...outcome })
  }
}
