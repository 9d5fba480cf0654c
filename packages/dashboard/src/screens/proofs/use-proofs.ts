import { useEffect } from 'react'
import { useList } from '../../api/use-api.ts'
import type { ProofSummary } from './describe-proof.ts'

/** Returns every proof that goes on, newest first. All that show them share one read. */
export function useWatching(): readonly ProofSummary[] {
  const { data = none } = useList('GET /organizations/{org_id}/proofs', {
    query: { state: 'watching', limit: 100 },
  })
  return data
}

const none: readonly ProofSummary[] = []

interface Listed {
  readonly id: string
  readonly createdAt: string
}

/** Returns the proofs of the listed versions of a schema, by the id of the version. It reads on while older ones are listed. */
export function useProofsOf(
  versions: readonly Listed[],
  filter: { readonly schema: string; readonly environment: string | undefined },
): ReadonlyMap<string, ProofSummary> {
  const list = useList('GET /organizations/{org_id}/proofs', { query: { ...filter, limit: 100 } })
  const { data: proofs = none, hasNextPage, isFetchingNextPage, fetchNextPage, isError } = list
  const oldest = versions.at(-1)?.createdAt
  const isIncomplete = oldest !== undefined && oldest < (proofs.at(-1)?.startedAt ?? '')
  const isNext = hasNextPage && isIncomplete && !isFetchingNextPage && !isError
  useEffect(() => {
    if (isNext) void fetchNextPage()
  }, [isNext, fetchNextPage])
  return new Map(proofs.map((proof) => [proof.subject.versionId, proof]))
}
