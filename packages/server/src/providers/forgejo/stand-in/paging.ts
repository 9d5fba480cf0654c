import { json } from '../../../../../sandbox/src/http/answers.ts'
import type { Answer, SandboxRequest } from '../../../../../sandbox/src/http/route.ts'
import type { ForgejoState } from './state.ts'

/** Holds one page of a list. */
export interface PageOf<Item> {
  readonly items: readonly Item[]
  readonly page: number
  readonly limit: number
  readonly last: number
}

const usualLimit = 30

/** Returns the page that a request asks for by `page` and `limit`. A limit above that of the instance is cut without a word. */
export function pageOf<Item>(
  { settings }: Pick<ForgejoState, 'settings'>,
  { query }: SandboxRequest,
  all: readonly Item[],
): PageOf<Item> {
  const read = (name: string, otherwise: number) => {
    const number = Number(query.get(name) ?? otherwise)
    return Number.isInteger(number) && number > 0 ? number : otherwise
  }
  const page = read('page', 1)
  const limit = Math.min(read('limit', usualLimit), settings.pageItemsMax)
  const items = all.slice((page - 1) * limit, page * limit)
  return { items, page, limit, last: Math.max(1, Math.ceil(all.length / limit)) }
}

/** Answers with one page of a list, with its links and the total in the headers. */
export function answerPage<Item>(
  state: ForgejoState,
  request: SandboxRequest,
  all: readonly Item[],
  present: (item: Item) => unknown,
): Answer {
  const { items, page, last } = pageOf(state, request, all)
  const link = (rel: string, at: number) => {
    const url = new URL(`${state.baseUrl}/api/v1${request.path}`)
    url.search = request.query.toString()
    url.searchParams.set('page', String(at))
    return `<${url.href}>; rel="${rel}"`
  }
  const links = [
    ...(page < last ? [link('next', page + 1), link('last', last)] : []),
    ...(page > 1 ? [link('first', 1), link('prev', page - 1)] : []),
  ]
  return json(items.map(present), 200, {
    ...(links.length > 0 && { link: links.join(',') }),
    'x-total-count': String(all.length),
  })
}
