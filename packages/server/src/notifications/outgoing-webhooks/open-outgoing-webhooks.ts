import type { Egress } from '../../egress/create-egress.ts'
import type { Feature, Kit } from '../../kit.ts'
import { toPageUrl } from '../page-url.ts'
import { mountOutgoingWebhooks } from './routes.ts'
import { startSender, type Sender } from './sender.ts'
import { sendDueMessages } from './send-messages.ts'

const everyMs = 2_000

/** Opens outgoing webhooks: the addresses, and sending events to them. */
export function openOutgoingWebhooks(
  kit: Kit,
  { egress }: { readonly egress: Pick<Egress, 'request' | 'requireSendable'> },
): Feature {
  const { store, keys, closing, log, now } = kit
  const pageUrl = toPageUrl(kit)
  let sender: Sender | undefined
  // On a node without the worker the message waits for another node, which looks every two seconds.
  const wake = () => sender?.wake()
  return {
    mount: (router) => mountOutgoingWebhooks(router, { store, keys, egress, now, wake }),
    work() {
      const busy = new Set<string>()
      const send = () => sendDueMessages({ store, keys, egress, pageUrl, now, log, busy })
      const started = startSender({ send, everyMs, log })
      sender = started
      closing.push(() => started.close())
      return Promise.resolve()
    },
  }
}
