import { json } from '../../../../../sandbox/src/http/answers.ts'
import type { Answer, SandboxRequest } from '../../../../../sandbox/src/http/route.ts'
import { badParameter } from './errors.ts'
import type { GitlabState } from './state.ts'

/** Leaves the totals out above this count, as GitLab does. */
const countedMax = 10_000

/**
 * Answers with one page of a list: `page` and `per_page`, by default 20, at most 100, with the headers of both kinds.
 *
 * @see https://docs.gitlab.com/api/rest/#pagination
 */
export function answerPage<Item>(
  state: Pick<GitlabState, 'baseUrl'>,
  request: SandboxRequest,
  all: readonly Item[],
  present: (item: Item) => unknown,
): Answer {
  const page = numberOf(request, 'page', 1)
  const perPage = Math.min(100, numberOf(request, 'per_page', 20))
  if (!Number.isInteger(page)) return badParameter('page is invalid')
  if (!Number.isInteger(perPage)) return badParameter('per_page is invalid')
  const last = Math.max(1, Math.ceil(all.length / perPage))
  const isCounted = all.length <= countedMax
  const links = Object.entries({
    ...(page > 1 && { prev: page - 1 }),
    ...(page < last && { next: page + 1 }),
    first: 1,
    ...(isCounted && { last }),
  }).map(
    ([rel, at]) => `<${addressOf(state, request, { page: at, per_page: perPage })}>; rel="${rel}"`,
  )
  return json(all.slice((page - 1) * perPage, page * perPage).map(present), 200, {
    link: links.join(', '),
    'x-page': String(page),
    'x-per-page': String(perPage),
    'x-next-page': page < last ? String(page + 1) : '',
    'x-prev-page': page > 1 ? String(page - 1) : '',
    ...(isCounted && { 'x-total': String(all.length), 'x-total-pages': String(last) }),
  })
}

/**
 * Answers with one page of a list in the order of its ids, by keyset: only the link to the next page, and no totals.
 *
 * @see https://docs.gitlab.com/api/rest/#keyset-based-pagination
 */
export function answerKeyset<Item extends { readonly id: number }>(
  state: Pick<GitlabState, 'baseUrl'>,
  request: SandboxRequest,
  all: readonly Item[],
  present: (item: Item) => unknown,
): Answer {
  const perPage = Math.min(100, numberOf(request, 'per_page', 20))
  if (!Number.isInteger(perPage)) return badParameter('per_page is invalid')
  const isRising = request.query.get('sort') === 'asc'
  const after = Number(request.query.get(isRising ? 'id_after' : 'id_before') ?? Number.NaN)
  const left = all
    .toSorted((one, other) => (isRising ? one.id - other.id : other.id - one.id))
    .filter(({ id }) => Number.isNaN(after) || (isRising ? id > after : id < after))
  const items = left.slice(0, perPage)
  const end = items.at(-1)
  const hasNext = end !== undefined && left.length > items.length
  const position = { [isRising ? 'id_after' : 'id_before']: end?.id ?? 0 }
  return json(items.map(present), 200, {
    ...(hasNext && { link: `<${addressOf(state, request, position)}>; rel="next"` }),
  })
}

function addressOf(
  { baseUrl }: Pick<GitlabState, 'baseUrl'>,
  { path, query }: SandboxRequest,
  other: Readonly<Record<string, number>>,
): string {
  const url = new URL(`${baseUrl}/api/v4${path}`)
  url.search = query.toString()
  for (const [name, value] of Object.entries(other)) url.searchParams.set(name, String(value))
  return url.href
}

function numberOf({ query }: SandboxRequest, name: string, otherwise: number): number {
  const text = query.get(name)
  if (text === null) return otherwise
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Number.NaN
}
