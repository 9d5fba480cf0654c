import type { SandboxRequest } from '../../../../../sandbox/src/http/route.ts'

/** Describes one page of a list, with its `Link` header. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Holds the header `Link` with the other pages, if there are any. */
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the page that `page` and `per_page` ask for. Default 30 entries, at most 100. */
export function pageOf<Item>(request: SandboxRequest, all: readonly Item[]): Page<Item> {
  const size = perPageOf(request)
  const page = positiveOr(request.query.get('page'), 1)
  const last = Math.max(1, Math.ceil(all.length / size))
  const links = {
    ...(page > 1 && { prev: page - 1, first: 1 }),
    ...(page < last && { next: page + 1, last }),
  }
  return {
    items: all.slice((page - 1) * size, page * size),
    headers: linkHeader(
      Object.entries(links).map(([rel, page]) => [rel, { page: String(page) }] as const),
      request,
    ),
  }
}

/** Returns the size of a page: `per_page`, default 30, at most 100. */
export function perPageOf({ query }: SandboxRequest): number {
  return Math.min(100, positiveOr(query.get('per_page'), 30))
}

/** Returns the `Link` header (RFC 8288): the address of the request with other parameters, one for each relation. */
export function linkHeader(
  links: readonly (readonly [rel: string, parameters: Readonly<Record<string, string>>])[],
  { origin, path, query }: SandboxRequest,
): Record<string, string> {
  if (links.length === 0) return {}
  const written = links.map(([rel, parameters]) => {
    const url = new URL(`${origin}/github/api${path}`)
    url.search = new URLSearchParams({ ...Object.fromEntries(query), ...parameters }).toString()
    return `<${url.href}>; rel="${rel}"`
  })
  return { link: written.join(', ') }
}

function positiveOr(text: string | null, otherwise: number): number {
  const number = Number(text ?? '')
  return Number.isInteger(number) && number > 0 ? number : otherwise
}
