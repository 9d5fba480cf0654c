import { useMemo, useState } from 'react'
import { call } from '../../../api/call.ts'
import type { RequestOf } from '../../../api/routes.ts'
import { useWrite } from '../../../api/use-api.ts'
import { showToast } from '../../../components/toasts.tsx'
import { useOrganization } from '../../../session/organization.ts'
import type { Matrix, MatrixEnvironment } from '../matrix.ts'
import { isSuspect, usePlainKeys } from '../review/no-secret.tsx'
import { useReview } from '../review/use-review.ts'
import { countChanges } from '../staged.ts'
import { usePreview, type Preview } from '../use-preview.ts'
import { toBody, type Confirmation } from '../use-save.ts'
import type { MatrixSearch } from '../workspace/search.ts'
import type { Extent, Pair, Promotion } from './promotion.ts'
import { useExceptedKeys, useInclude } from './use-exceptions.ts'

interface PromotionOptions {
  readonly matrix: Matrix
  readonly search: MatrixSearch
  readonly extent: Extent | undefined
  readonly onDone: () => void
}

/** Previews a promotion as it is chosen, and makes it once it is confirmed. */
export function usePromotion({ matrix, search, extent, onDone }: PromotionOptions) {
  const { mutate, isPending, error } = useWrite(
    'POST /organizations/{org_id}/config-values/promote',
  )
  const pair = usePair(matrix, search)
  const keys = extent === 'selected' ? (search.keys ?? noKeys) : noKeys
  const { include, onInclude } = useInclude(pair)
  const chosen = useMemo(
    () => (keys.length > 0 ? { keys: [...keys] } : { include: [...include] }),
    [keys, include],
  )
  const obstacle = findObstacle(pair, extent, keys)
  const [attempt, setAttempt] = useState(0)
  const request = useMemo(() => ({ ...pair, ...chosen }), [pair, chosen])
  const { suspects, onPlain, follow } = usePlainKeys(request)
  const body = useMemo(
    () => ({ ...request, ...(suspects.plain.length > 0 && { allowPlain: [...suspects.plain] }) }),
    [request, suspects.plain],
  )
  const preview = usePromotionPreview(body, { isComplete: obstacle === undefined, attempt })
  follow(error ?? preview.problem)
  const excepted = useExceptedKeys(pair, include, extent === 'all' ? preview.answer : undefined)
  const source = matrix.environments.find(({ id }) => id === pair.fromEnvironmentId)
  const target = matrix.environments.find(({ id }) => id === pair.toEnvironmentId)
  const count = preview.answer?.changes.length ?? 0
  const promote = (confirmation: Confirmation) => {
    if (preview.answer === undefined) return
    const { currentVersion: ifMatch, sourceVersion: expectedSourceVersion } = preview.answer
    mutate({
      body: { ...body, expectedSourceVersion, ...toBody(confirmation) },
      ifMatch,
      onSuccess: () => {
        showToast({ text: `Promoted ${countChanges(count)} to ${target?.name ?? ''}.` })
        onDone()
      },
      onError: ({ code }) => {
        if (code === 'revision_mismatch') setAttempt(attempt + 1)
      },
    })
  }
  const review = useReview({
    environments: target ? [target] : [],
    requires: listRequires(target, count),
    problem: error,
    isPending,
    canSave: count > 0,
    onSave: promote,
  })
  const refused = error ?? preview.problem ?? null
  const problem = refused === null || isSuspect(refused) ? null : refused
  const exceptions = { include, excepted, onInclude }
  const plain = { suspects, onPlain }
  return { pair, source, target, obstacle, preview, problem, count, exceptions, plain, ...review }
}

/** Returns what a promotion requires of its target: each change of it reaches readers. */
function listRequires(target: MatrixEnvironment | undefined, count: number) {
  return target && count > 0 ? [{ environment: target.name, ...target.protection }] : []
}

/** Holds no key. It is always the same list, so that a preview is not requested anew. */
export const noKeys: readonly string[] = []

/** Returns the environments that the address names. The source is the first one otherwise; the target is chosen. */
function usePair({ schema, environments }: Matrix, { from, to }: MatrixSearch): Pair {
  const idOf = (name: string | undefined) => environments.find((one) => one.name === name)?.id
  const fromEnvironmentId = idOf(from) ?? environments[0]?.id ?? ''
  const toEnvironmentId = idOf(to) ?? ''
  return useMemo(
    () => ({ schemaId: schema.id, fromEnvironmentId, toEnvironmentId }),
    [schema.id, fromEnvironmentId, toEnvironmentId],
  )
}

/** Returns what is still to be chosen. */
function findObstacle(
  { fromEnvironmentId, toEnvironmentId }: Pair,
  extent: Extent | undefined,
  keys: readonly string[],
): string | undefined {
  if (toEnvironmentId === '') return 'Choose the environment to promote to.'
  if (fromEnvironmentId === toEnvironmentId) return 'Choose two different environments.'
  if (extent === undefined) return 'Choose which keys to promote.'
  return extent === 'selected' && keys.length === 0 ? 'Select at least one key.' : undefined
}

/** Lists the keys that have a value in an environment, its own or an inherited one. */
export function listSetKeys(
  { environments, keys }: Matrix,
  { id }: MatrixEnvironment,
): readonly string[] {
  const at = environments.findIndex((environment) => environment.id === id)
  return keys.flatMap(({ key, cells }) => {
    const source = cells[at]?.source
    return source === 'set' || source === 'inherited' ? [key] : []
  })
}

type PromotionBody = NonNullable<
  RequestOf<'POST /organizations/{org_id}/config-values/promote'>['body']
>

/** Returns what the promotion would change, by a dry run. */
function usePromotionPreview(
  body: PromotionBody,
  { isComplete, attempt }: { readonly isComplete: boolean; readonly attempt: number },
): Preview<Promotion> {
  const { id: orgId } = useOrganization()
  const ask = useMemo(() => {
    if (!isComplete) return undefined
    return (signal: AbortSignal) =>
      call(
        'POST /organizations/{org_id}/config-values/promote',
        { params: { org_id: orgId }, body: { ...body, dryRun: true } },
        signal,
      )
  }, [body, isComplete, orgId])
  return usePreview(ask, attempt)
}
