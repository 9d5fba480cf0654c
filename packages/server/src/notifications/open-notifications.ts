import type { Feature, Kit } from '../kit.ts'
import { mountChat, type ChatRouteDeps } from './chat/chat-routes.ts'
import { workNotifications } from './jobs.ts'
import type { NotificationDeps } from './notification-deps.ts'
import { toPageUrl } from './page-url.ts'
import { mountNotifications, type NotificationRouteDeps } from './routes.ts'

/** Describes what notifications need: the chat of an organization, and the deployments that a preview shows. */
export type NotificationPorts = Pick<ChatRouteDeps, 'chat' | 'connectorOf'> &
  Pick<NotificationRouteDeps, 'listNewestDeployments'>

/** Opens the messages to a chat: their routes, the chat itself, and sending. */
export function openNotifications(
  kit: Kit,
  { chat, connectorOf, listNewestDeployments }: NotificationPorts,
): Feature {
  const { store, jobs, now, initialHoldMs } = kit
  const deps: NotificationDeps = { store, jobs, chat, pageUrl: toPageUrl(kit), now, initialHoldMs }
  return {
    mount(router) {
      mountNotifications(router, { ...deps, listNewestDeployments })
      mountChat(router, { ...deps, connectorOf })
    },
    work: () => workNotifications(jobs, deps),
  }
}
