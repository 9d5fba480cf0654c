import { useEffect, useRef } from 'react'
import { useList } from '../../../api/use-api.ts'
import { annotate, type GridModel, type WaitingChange } from '../grid/grid-model.ts'
import { toCellId } from '../matrix.ts'

/** Marks each cell of a schema that a waiting request would change. The newest request counts. */
export function useWaiting({ notes }: GridModel, schemaId: string): void {
  const marked = useRef<ReadonlyMap<string, WaitingChange>>(new Map())
  const { data: requests } = useList('GET /organizations/{org_id}/change-requests', {
    query: { state: 'waiting', limit: 100 },
  })
  useEffect(() => {
    if (requests === undefined) return
    const waiting = new Map(
      requests
        .toReversed()
        .flatMap(({ number, author, keys }) =>
          keys
            .filter((one) => one.schemaId === schemaId)
            .map(
              ({ environmentId, key }) =>
                [toCellId(environmentId, key), { number, author: author.name }] as const,
            ),
        ),
    )
    for (const id of marked.current.keys()) {
      if (!waiting.has(id)) annotate(notes, id, { waiting: undefined })
    }
    for (const [id, change] of waiting) annotate(notes, id, { waiting: change })
    marked.current = waiting
  }, [notes, requests, schemaId])
}
