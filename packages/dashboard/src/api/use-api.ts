import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { createContext, useContext, useRef } from 'react'
import { call, callPage } from './call.ts'
import { refreshAfterWrite } from './invalidate.ts'
import { isRequested, toApiProblem, type ApiProblem } from './problem.ts'
import type {
  AnswerOf,
  GivenOf,
  ItemOf,
  ListRoute,
  PageOf,
  ReadRoute,
  RequestOf,
  Route,
  WriteRoute,
} from './routes.ts'

/** Holds the id of the organization of the address. The hooks add it to each request that names no other. */
export const OrganizationIdContext = createContext<string | undefined>(undefined)

function useComplete<R extends Route>(route: R) {
  const org_id = useContext(OrganizationIdContext)
  return (request: GivenOf<R>): RequestOf<R> => {
    const params = route.includes('{org_id}') ? { org_id, ...request.params } : request.params
    if (params !== undefined && 'org_id' in params && params.org_id === undefined) {
      throw new Error(`${route} names no organization`)
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what its type lacks is the organization
    return { ...request, ...(params !== undefined && { params }) } as RequestOf<R>
  }
}

interface ListOptions {
  /** Sends the request. `false`: not yet. */
  readonly enabled?: boolean
}

interface ReadOptions extends ListOptions {
  /** Reads again after changes. `false`: only on `refetch`, because the read is expensive for the server. */
  readonly fresh?: boolean
}

/** Reads an endpoint and keeps it fresh: it reads again when the server announces a change, and after every write. */
export function useRead<R extends ReadRoute>(
  route: R,
  { enabled = true, fresh = true, ...given }: GivenOf<R> & ReadOptions = {},
) {
  const request = useComplete(route)(given)
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
  { enabled = true, ...given }: GivenOf<R> & ListOptions = {},
) {
  const request = useComplete(route)(given)
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
  readonly onSuccess?: ((answer: Answer) => void) | undefined
  readonly onError?: ((problem: ApiProblem) => void) | undefined
}

/**
 * Writes to an endpoint, and reads the screen again after the response, or after a rejection because somebody else has
 * written in the meantime. It drops the request and the response of a write that succeeded or waits for approval, because
 * both may hold secrets.
 */
export function useWrite<R extends WriteRoute>(route: R) {
  const client = useQueryClient()
  const complete = useComplete(route)
  const { mutate, reset, isPending, error } = useMutation<
    AnswerOf<R>,
    ApiProblem,
    WriteHandlers<AnswerOf<R>> & { readonly request: RequestOf<R> }
  >({
    mutationFn: ({ request }) =>
      call(route, request).catch((thrown: unknown) => {
        throw toApiProblem(thrown)
      }),
    // Set here and not with the call, so that it also runs when the component has left the page.
    onSuccess: (answer, { onSuccess }) => {
      reset()
      onSuccess?.(answer)
      void refreshAfterWrite(client, route)
    },
    onError: (problem, { onError }) => {
      if (isRequested(problem)) {
        reset()
        return
      }
      onError?.(problem)
      if (problem.code === 'revision_mismatch') void refreshAfterWrite(client, route)
    },
  })
  return {
    isPending,
    error,
    reset,
    mutate: ({ onSuccess, onError, ...request }: GivenOf<R> & WriteHandlers<AnswerOf<R>>) =>
      mutate({ request: complete(request), onSuccess, onError }),
  }
}

/** Reads an endpoint several times, such as once for each organization. Is read again as {@link useRead} is. */
export function useReads<R extends ReadRoute>(route: R, requests: readonly RequestOf<R>[]) {
  return useQuery<readonly AnswerOf<R>[]>({
    queryKey: [route, requests],
    queryFn: ({ signal }) => Promise.all(requests.map((request) => call(route, request, signal))),
  })
}

/** Describes one of several writes. */
export interface Write {
  readonly route: WriteRoute
  /** Is the same for the same write. */
  readonly key: string
  readonly send: () => Promise<unknown>
}

/** Returns a write for {@link useWrites}. */
export function toWrite<R extends WriteRoute>(route: R, request: RequestOf<R>): Write {
  return { route, key: JSON.stringify([route, request]), send: () => call(route, request) }
}

/**
 * Writes several times, one after the other. If the first is refused, it sends nothing else: what a token made is not
 * paused if the token stays. A later rejection does not keep the others from being sent. The first rejection is the
 * error, and the next `mutate` sends only what has not succeeded.
 */
export function useWrites() {
  const client = useQueryClient()
  const done = useRef(new Set<string>())
  const { mutate, isPending, error } = useMutation<
    void,
    ApiProblem,
    { readonly writes: readonly Write[]; readonly onSuccess: () => void }
  >({
    async mutationFn({ writes }) {
      const problems: ApiProblem[] = []
      for (const [index, { key, send }] of writes.entries()) {
        if (done.current.has(key)) continue
        await send().then(
          () => done.current.add(key),
          (thrown: unknown) => problems.push(toApiProblem(thrown)),
        )
        if (index === 0 && problems.length > 0) break
      }
      const [first] = problems
      if (first !== undefined) throw first
    },
    // As with one write, it also runs when the component has left the page.
    onSuccess: (_answer, { onSuccess }) => onSuccess(),
    onSettled(_answer, _problem, { writes }) {
      for (const { route } of writes) void refreshAfterWrite(client, route)
    },
  })
  return {
    isPending,
    error,
    mutate: (writes: readonly Write[], onSuccess: () => void) => mutate({ writes, onSuccess }),
  }
}
