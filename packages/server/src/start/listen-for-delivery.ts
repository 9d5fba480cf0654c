import type { Delivery } from '../delivery/delivery.ts'
import { openDeliveryListener, type DeliveryListener } from '../delivery/http/listener.ts'
import { listenerUrl } from './listener-url.ts'
import type { StartDeps } from './service.ts'

/** Opens the delivery's own address. */
export async function listenForDelivery(
  { settings, metrics, now }: StartDeps,
  delivery: Delivery,
): Promise<{ readonly listener: DeliveryListener; readonly url: string }> {
  const { host, deliveryPort } = settings
  const listener = await openDeliveryListener({
    delivery,
    host,
    port: deliveryPort,
    drainMs: 2_000,
    now,
    metrics,
  })
  return { listener, url: settings.configUrl ?? listenerUrl(host, listener.port) }
}
