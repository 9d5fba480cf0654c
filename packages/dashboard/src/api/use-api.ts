import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { call, callPage } from './call.ts'
import { toApiProblem, type ApiProblem } from './problem.ts'
import type {
  AnswerOf,
  ItemOf,
  ListRoute,
  PageOf,
  ReadRoute,
  RequestOf,
  WriteRoute,
} from './routes.ts'

interface ListOptions {
  /** `false`: not yet asked for. */
  readonly enabled?: boolean
}

interface ReadOptions extends ListOptions {
  /** `false`: shown as it was found until `refetch`, because the server goes through much to find it. */
  readonly fresh?: boolean
}

/** Reads an endpoint and keeps it fresh: it is read again when the server says that it changed, and after every write. */
export function useRead<R extends ReadRoute>(
  route: R,
  request: RequestOf<R> = {},
  { enabled = true, fresh = true }: ReadOptions = {},
) {
  return useQuery<AnswerOf<R>>({
    queryKey: [route, request],
    queryFn: ({ signal }) => call(route, request, signal),
    enabled,
    ...(!fresh && { staleTime: 'static' }),
  })
}

/** Reads a list page by page; `fetchNextPage` reads the next one. */
export function useList<R extends ListRoute>(
  route: R,
  request: RequestOf<R> = {},
  { enabled = true }: ListOptions = {},
) {
  return useInfiniteQuery<
    PageOf<ItemOf<R>>,
    ApiProblem,
    readonly ItemOf<R>[],
    readonly unknown[],
    string | null
  >({
    queryKey: [route, request, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      callPage(route, pageParam === null ? request : { ...request, cursor: pageParam }, signal),
    initialPageParam: null,
    getNextPageParam: (last) => last.nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    placeholderData: keepPreviousData,
    enabled,
  })
}

interface WriteHandlers<Answer> {
  readonly onSuccess?: (answer: Answer) => void
  readonly onError?: (problem: ApiProblem) => void
}

/**
 * Changes something; what is on the screen is read again once the server has answered. Neither what is sent nor what is
 * answered is kept: both may hold secrets.
 */
export function useWrite<R extends WriteRoute>(route: R) {
  const client = useQueryClient()
  const [state, setState] = useState<{ isPending: boolean; error: ApiProblem | null }>(idle)

  const send = async (request: RequestOf<R>, handlers: WriteHandlers<AnswerOf<R>>) => {
    setState({ isPending: true, error: null })
    try {
      const answer = await call(route, request)
      setState(idle)
      handlers.onSuccess?.(answer)
    } catch (error) {
      const problem = toApiProblem(error)
      setState({ isPending: false, error: problem })
      handlers.onError?.(problem)
      return
    }
    await refreshAll(client)
  }
  const mutate = (request: RequestOf<R>, handlers: WriteHandlers<AnswerOf<R>> = {}) =>
    void send(request, handlers)
  return { ...state, mutate, reset: () => setState(idle) }
}

const idle = { isPending: false, error: null }

/** Every read that is on the screen. */
export async function refreshAll(client: QueryClient): Promise<void> {
  await client.invalidateQueries()
}
