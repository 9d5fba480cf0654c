import type { components } from '@octokit/openapi-types'
import type { Delivery } from '../hooks/delivery-log.ts'

/** Returns a delivery as the list of deliveries shows it. */
export function toDeliveryItem(delivery: Delivery) {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: delivery.deliveredAt.toISOString(),
    redelivery: delivery.isRedelivery,
    duration: delivery.durationSeconds,
    status: delivery.status,
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installationId,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  } satisfies components['schemas']['hook-delivery-item']
}

/** Returns a delivery with its request and its response. */
export function toDelivery(delivery: Delivery) {
  const { json, requestHeaders, response, url } = delivery
  const payload: Record<string, unknown> = JSON.parse(json)
  return {
    ...toDeliveryItem(delivery),
    ...(url !== undefined && { url }),
    request: { headers: requestHeaders, payload },
    response: { headers: response?.headers ?? null, payload: response?.body ?? null },
  } satisfies components['schemas']['hook-delivery']
}
