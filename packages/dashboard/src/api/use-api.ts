import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { call, callPage } from './call.ts'
import type { ApiProblem } from './problem.ts'
import type { AnswerOf, ListRoute, ReadRoute, RequestOf, WriteRoute } from './routes.ts'

interface ReadOptions {
  /** `false`: not yet asked for. */
  readonly enabled?: boolean
}

/** Reads an endpoint and keeps it fresh: it is read again when the server says that it changed, and after every write. */
export function useRead<R extends ReadRoute>(
  route: R,
  request: RequestOf<R> = {},
  { enabled = true }: ReadOptions = {},
) {
  return useQuery<AnswerOf<R>, ApiProblem>({
    queryKey: [route, request],
    queryFn: ({ signal }) => call(route, request, signal),
    placeholderData: keepPreviousData,
    enabled,
  })
}

/** Reads a list page by page; `fetchNextPage` reads the next one. */
export function useList<R extends ListRoute>(
  route: R,
  request: RequestOf<R> = {},
  { enabled = true }: ReadOptions = {},
) {
  return useInfiniteQuery({
    queryKey: [route, request, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      callPage(route, pageParam === null ? request : { ...request, cursor: pageParam }, signal),
    initialPageParam: initialCursor,
    getNextPageParam: (last) => last.nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    placeholderData: keepPreviousData,
    enabled,
  })
}

const initialCursor: string | null = null

/** Changes something; what is on the screen is read again once the server has answered. */
export function useWrite<R extends WriteRoute>(route: R) {
  const client = useQueryClient()
  return useMutation<AnswerOf<R>, ApiProblem, RequestOf<R>>({
    mutationFn: (request) => call(route, request),
    onSuccess: () => refreshAll(client),
  })
}

/** Every read that is on the screen. */
export async function refreshAll(client: QueryClient): Promise<void> {
  await client.invalidateQueries()
}
