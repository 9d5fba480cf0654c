import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { call, callPage } from './call.ts'
import { refreshAfterWrite } from './invalidate.ts'
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
 * Writes to an endpoint; what is on the screen is read again once the server has answered. Nothing of a write that succeeded
 * is kept, neither the request nor the answer: both may hold secrets.
 */
export function useWrite<R extends WriteRoute>(route: R) {
  const client = useQueryClient()
  const { mutate, reset, isPending, error } = useMutation<
    AnswerOf<R>,
    ApiProblem,
    WriteHandlers<AnswerOf<R>> & { readonly request: RequestOf<R> }
  >({
    mutationFn: ({ request }) =>
      call(route, request).catch((thrown: unknown) => {
        throw toApiProblem(thrown)
      }),
    // Here and not beside the call: a handler is wanted also when the component that wrote is off the page by then.
    onSuccess: (answer, { onSuccess }) => {
      reset()
      onSuccess?.(answer)
      void refreshAfterWrite(client, route)
    },
    onError: (problem, { onError }) => onError?.(problem),
  })
  return {
    isPending,
    error,
    reset,
    mutate: (request: RequestOf<R>, handlers: WriteHandlers<AnswerOf<R>> = {}) =>
      mutate({ request, ...handlers }),
  }
}
