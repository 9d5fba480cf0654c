import { useEffect } from 'react'
import type { Segments } from '@signalbox/contract'
import { useQueries } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import type { AnswerOf, ItemOf } from '../../../api/routes.ts'
import { useList } from '../../../api/use-api.ts'
import { useOrganization } from '../../../session/organization.ts'

/** Describes a segment in the list. */
export type SegmentSummary = ItemOf<'GET /organizations/{org_id}/segments'>
/** Describes a segment with its groups and the flags that use it. */
export type Segment = AnswerOf<'GET /organizations/{org_id}/segments/{segment}'>
/** Lists the groups of a segment. A context is in the segment when it is in one of them. */
export type Groups = Segment['anyOf']

/** Reads every segment of the organization, by name. */
export function useSegments() {
  const segments = useList('GET /organizations/{org_id}/segments', { query: { limit: 100 } })
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = segments
  useEffect(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  return segments
}

const one = 'GET /organizations/{org_id}/segments/{segment}'

/** Holds the groups of segments by name. */
export interface LoadedGroups {
  /** Lacks segments that are not loaded, or gone. */
  readonly segments: Segments
  readonly isPending: boolean
}

/** Reads the groups of the named segments. */
export function useSegmentGroups(names: readonly string[]): LoadedGroups {
  const { id: orgId } = useOrganization()
  const reads = useQueries({
    queries: names.map((segment) => {
      const request = { params: { org_id: orgId, segment } }
      return {
        queryKey: [one, request],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => call(one, request, signal),
      }
    }),
  })
  const loaded = reads.flatMap(({ data }) => (data === undefined ? [] : [data]))
  return {
    segments: Object.fromEntries(loaded.map(({ name, anyOf }) => [name, anyOf])),
    isPending: reads.some(({ isPending }) => isPending),
  }
}
