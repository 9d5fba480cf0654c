import { restoreExceptions } from '@signalbox/contract'
import { useCallback, useState } from 'react'
import { call } from '../../api/call.ts'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import type { Environment } from '../configs/environments.ts'
import { useReview } from '../configs/review/use-review.ts'
import { toBody, type Confirmation } from '../configs/use-save.ts'
import { usePreview } from '../configs/use-preview.ts'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import { toRestores } from './to-restores.ts'

interface Restore {
  readonly versionIds: readonly string[]
  /** Lists the keys whose change is undone. Absent: the versions are restored as a whole. */
  readonly keys: readonly string[] | undefined
  readonly environments: readonly Environment[]
  /** Says whether values are published that were secret. */
  readonly force: boolean
  readonly onDone: () => void
}

interface Restored extends AnswerOf<'POST /organizations/{org_id}/config-versions/restore'> {
  /** Says whether flags that are turned off were restored too. */
  readonly isIncluded: boolean
}

/** Previews the restore of versions, and makes it once it is confirmed. */
export function useRestore({ versionIds, keys, environments, force, onDone }: Restore) {
  const { params } = useOrganization()
  const { mutate, isPending, error } = useWrite(
    'POST /organizations/{org_id}/config-versions/restore',
  )
  const [attempt, setAttempt] = useState(0)
  const [isIncluded, setIncluded] = useState(false)
  const preview = useRestorePreview({ versionIds, keys, force, isIncluded, attempt })
  const affected = (preview.answer?.environments ?? []).flatMap(({ environmentId, changes }) => {
    const environment = environments.find(({ id }) => id === environmentId)
    return environment ? [{ environment, changes }] : []
  })
  const restore = (confirmation: Confirmation) => {
    const restores = toRestores(versionIds, keys, preview.answer)
    const body = { restores, ...toOptions(force, isIncluded), ...toBody(confirmation) }
    mutate(
      { params, body },
      {
        onSuccess: () => {
          const text =
            keys === undefined
              ? 'Restored as a new version.'
              : 'Undone. The values are saved as a new version.'
          showToast({ text })
          onDone()
        },
        onError: ({ code }) => {
          if (code !== 'revision_mismatch') return
          // Somebody may have turned off another flag, which nobody has ticked.
          setIncluded(false)
          setAttempt(attempt + 1)
        },
      },
    )
  }
  const review = useReview({
    environments: affected.map(({ environment }) => environment),
    problem: error,
    isPending,
    canSave: affected.some(({ changes }) => changes.length > 0),
    onSave: restore,
  })
  const names = useTurnedOff(preview.answer, environments)
  const turnedOff = { names, isIncluded, setIncluded }
  const problem = error ?? preview.problem ?? null
  return { preview, affected, problem, turnedOff, ...review }
}

/** Names what the last answer without them left out, so that the names stay while the next one loads, and while they are ticked. */
function useTurnedOff(
  answer: Restored | undefined,
  environments: readonly Environment[],
): readonly string[] {
  const [last, setLast] = useState<Restored>()
  const isNewer = answer?.isIncluded === false && answer !== last
  if (isNewer) setLast(answer)
  const newest = isNewer ? answer : last
  const nameOf = (id: string) => environments.find((one) => one.id === id)?.name
  return (newest?.leftOut ?? []).map(({ environmentId, key }) =>
    newest !== undefined && newest.environments.length > 1
      ? `${key} in ${nameOf(environmentId) ?? ''}`
      : key,
  )
}

function toOptions(force: boolean, isIncluded: boolean) {
  return { ...(force && { force }), ...(isIncluded && { include: [...restoreExceptions] }) }
}

interface RestorePreview extends Pick<Restore, 'versionIds' | 'keys' | 'force'> {
  /** Says whether flags that are turned off are restored too. */
  readonly isIncluded: boolean
  readonly attempt: number
}

/** Previews the changes by a dry run. */
function useRestorePreview({ versionIds, keys, force, isIncluded, attempt }: RestorePreview) {
  const { id: orgId } = useOrganization()
  const ids = versionIds.join()
  return usePreview(
    useCallback(
      async (signal: AbortSignal): Promise<Restored> => {
        const restores = toRestores(ids.split(','), keys)
        const body = { restores, dryRun: true, ...toOptions(force, isIncluded) }
        const request = { params: { org_id: orgId }, body }
        const path = 'POST /organizations/{org_id}/config-versions/restore'
        return { ...(await call(path, request, signal)), isIncluded }
      },
      [ids, keys, force, isIncluded, orgId],
    ),
    attempt,
  )
}
