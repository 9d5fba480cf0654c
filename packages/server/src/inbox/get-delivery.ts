import { notFound } from '../http/answers/problem-response.ts'
import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import { findDelivery, type DeliveryContentRow } from './delivery-rows.ts'
import { unpackBody } from './packed-body.ts'

/** Describes a stored webhook with its body unpacked. */
export interface DeliveryContent extends DeliveryContentRow {
  /** The JSON that was sent; the text where it is none. */
  readonly payload: unknown
}

/**
 * Reads one webhook of an organization, with its headers and payload.
 *
 * @throws {Problem} `not_found`
 */
export async function getDelivery(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  scope: Scope,
  of: { readonly orgId: string; readonly id: string },
): Promise<DeliveryContent> {
  const row = await store.transaction(scope, (tx) => findDelivery(tx, of.orgId, of.id))
  if (row === undefined) throw notFound()
  const text = (await unpackBody(row.body)).toString('utf8')
  return { ...row, payload: readPayload(text) }
}

function readPayload(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
