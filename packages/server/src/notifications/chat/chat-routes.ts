import { toCaller } from '../../audit/caller.ts'
import { chatEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../../http/router.ts'
import type { ConnectorOf } from '../../integrations/connect/connectors.ts'
import { presentChat } from './present-chat.ts'
import { listIntegrationRows } from '../../integrations/rows.ts'
import { chooseDefaultChannel } from './chat-channel.ts'
import { listChannels } from './chat-channels.ts'
import type { NotificationDeps } from '../notification-deps.ts'

/** Describes the dependencies of the chat endpoints. */
export interface ChatRouteDeps extends Pick<NotificationDeps, 'store' | 'chat' | 'jobs' | 'now'> {
  readonly connectorOf: ConnectorOf
}

const position = z.object({ page: z.string().nullable(), skip: z.number().int().min(0) })

/** Mounts the endpoints of the chat workspace: its status, its channels, and the default one. */
export function mountChat(router: Router, deps: ChatRouteDeps): void {
  router
    .add(endpoints.getChat, {
      handle: async (request) => {
        const { orgId, scope } = toCaller(request)
        const rows = await deps.store.transaction(scope, (tx) => listIntegrationRows(tx, orgId))
        return rows.find(({ kind }) => kind === 'chat')
      },
      present: (integration) => presentChat(integration, deps.connectorOf),
    })
    .add(endpoints.updateChat, {
      handle: (request) =>
        chooseDefaultChannel(deps, toCaller(request), request.body.defaultChannelId),
      present: (integration) => presentChat(integration, deps.connectorOf),
    })
    .add(endpoints.listChannels, {
      handle: (request) => {
        const { query, limit } = request.query
        const from = request.readCursor(position) ?? { page: null, skip: 0 }
        return listChannels(deps, toCaller(request), { query, limit, from })
      },
      present: ({ items, next, ...rest }, request) => ({
        ...rest,
        items: items.map(({ obstacle = null, reach = null, ...channel }) => ({
          ...channel,
          obstacle,
          reach,
        })),
        nextCursor: next === undefined ? null : request.writeCursor(next),
      }),
    })
}
