import type { ResponseOf } from '@signalbox/contract/rest'
import type { z } from 'zod'
import type { EndpointRequest, JsonEndpoint, JsonHandler } from './input/endpoint-request.ts'

/** Describes an endpoint that answers a list page by page: `{ items, nextCursor }`. */
export type PageEndpoint = JsonEndpoint & {
  readonly query: z.ZodType<{ readonly limit: number }>
  readonly response: { readonly body: z.ZodType<PageBody> }
}

interface PageBody {
  readonly items: readonly unknown[]
  readonly nextCursor: string | null
}

/** Names the form in which a page endpoint shows one item. */
export type ItemOf<E extends PageEndpoint> =
  ResponseOf<E> extends {
    readonly items: readonly (infer Item)[]
  }
    ? Item
    : never

/**
 * Describes how a page endpoint is served. Cursors, the cut after `limit` and the last page are the router's. A list that a
 * provider pages has its cursor and not a row's position: it is an endpoint like others.
 */
export interface PageHandler<E extends PageEndpoint, P extends z.ZodType, Row> {
  /** Validates the position in a cursor, after which the next page begins. */
  readonly position: P
  /** Lists the rows after a position: one more than `limit` if there are more. */
  readonly list: (
    request: EndpointRequest<E>,
    page: { readonly after: z.output<P> | undefined; readonly limit: number },
  ) => Promise<readonly Row[]>
  /** Returns the position of a row. A cursor carries it as JSON, a `Date` as its text. */
  readonly positionOf: (row: Row) => z.output<P>
  /** Returns the public form of a row. */
  readonly present: (row: Row, request: EndpointRequest<E>) => ItemOf<E>
}

/** Creates the handler of a page endpoint. */
export function toJsonHandler<E extends PageEndpoint, P extends z.ZodType, Row>({
  position,
  list,
  positionOf,
  present,
}: PageHandler<E, P, Row>): JsonHandler<E, readonly Row[]> {
  return {
    handle: (request) =>
      list(request, { after: request.readCursor(position), limit: limitOf(request) }),
    present(rows, request) {
      const items = rows.slice(0, limitOf(request))
      const last = rows.length > items.length ? items.at(-1) : undefined
      const page: PageBody = {
        items: items.map((row) => present(row, request)),
        nextCursor: last === undefined ? null : request.writeCursor(positionOf(last)),
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `ItemOf` is what the items of this body are
      return page as ResponseOf<E>
    },
  }
}

function limitOf<E extends PageEndpoint>({ query }: EndpointRequest<E>): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `PageEndpoint` says so, which a conditional type hides
  return (query as { readonly limit: number }).limit
}
