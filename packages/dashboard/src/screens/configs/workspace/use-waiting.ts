import { useMemo } from 'react'
import { useList } from '../../../api/use-api.ts'
import { useWatching } from '../../proofs/use-proofs.ts'
import type { GridModel } from '../grid/grid-model.ts'
import { toCellId } from '../matrix.ts'
import { describePosition } from '../rules/rollout/describe-plan.ts'
import { useCellMarks } from './use-cell-marks.ts'

/** Marks each cell of a schema that a waiting request would change. The newest request counts. */
export function useWaiting(model: GridModel, schemaId: string): void {
  const { data: requests } = useList('GET /organizations/{org_id}/change-requests', {
    query: { state: 'waiting', limit: 100 },
  })
  const waiting = useMemo(
    () =>
      requests &&
      new Map(
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
      ),
    [requests, schemaId],
  )
  useCellMarks(model, 'waiting', waiting)
}

/** Marks each cell of a schema whose last change is watched. The newest proof counts. */
export function useUnproven(model: GridModel, schemaId: string): void {
  const proofs = useWatching()
  const watched = useMemo(
    () =>
      new Map(
        proofs
          .toReversed()
          .filter(({ subject }) => subject.schemaId === schemaId)
          .flatMap((proof) =>
            proof.keys.map((key) => [toCellId(proof.subject.environmentId, key), proof] as const),
          ),
      ),
    [proofs, schemaId],
  )
  useCellMarks(model, 'proof', watched)
}

/** Marks each cell of a schema whose flag is rolled out in steps. */
export function useRollouts(model: GridModel, schemaId: string): void {
  const { data: plans } = useList('GET /organizations/{org_id}/rollout-plans', {
    query: { state: 'active', schema: schemaId, limit: 100 },
  })
  const rollouts = useMemo(
    () =>
      plans &&
      new Map(
        plans.map((plan) => [toCellId(plan.environmentId, plan.flag), describePosition(plan)]),
      ),
    [plans],
  )
  useCellMarks(model, 'rollout', rollouts)
}
