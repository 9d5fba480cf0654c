import { useCallback, useState } from 'react'
import { call } from '../../api/call.ts'
import { useWrite } from '../../api/use-api.ts'
import type { Environment } from '../configs/environments.ts'
import { ChangeList, type ValueChange } from '../configs/review/change-list.tsx'
import { ReviewFooter } from '../configs/review/review-footer.tsx'
import { useReview } from '../configs/review/use-review.ts'
import { toBody, type Confirmation } from '../configs/use-save.ts'
import { usePreview } from '../configs/use-preview.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Checkbox } from '../../components/field.tsx'
import { FormProblem, Skeleton } from '../../components/states.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import { toRestores } from './to-restores.ts'

interface RestoreDrawerProps {
  readonly versionIds: readonly string[]
  /** Lists the keys whose change is undone. Absent: the versions are restored as a whole. */
  readonly keys: readonly string[] | undefined
  readonly environments: readonly Environment[]
  readonly onDone: () => void
  readonly onClose: () => void
}

const wordsOf = (count: number, keys: readonly string[] | undefined) =>
  keys !== undefined
    ? {
        title: `Undo the change of ${keys.length === 1 ? keys.join() : `${keys.length} keys`}`,
        description: 'Other keys stay as they are. The values are saved as a new version.',
        action: 'Undo',
      }
    : count === 1
      ? {
          title: 'Restore a version',
          description: 'Its values are saved as a new version. No history is lost.',
          action: 'Restore',
        }
      : {
          title: `Restore ${count} versions`,
          description: 'Their values are saved as new versions. No history is lost.',
          action: 'Restore',
        }

/** Restores versions after a preview. Each becomes a new version; none is lost. */
export function RestoreDrawer(props: RestoreDrawerProps) {
  const { versionIds, keys, onClose } = props
  const [force, setForce] = useState(false)
  const { preview, affected, problem, onSubmit, footer } = useRestore(props, force)
  const { action, ...words } = wordsOf(versionIds.length, keys)
  return (
    <Dialog shape="drawer" {...words} onClose={onClose}>
      <form className="flex flex-col gap-4" onSubmit={onSubmit}>
        {preview.answer === undefined && preview.problem === undefined && <Skeleton />}
        {affected.map(({ environment, changes }) => (
          <ChangesOf key={environment.id} name={environment.name} changes={changes} />
        ))}
        <FormProblem problem={problem} />
        {(force || preview.problem?.code === 'breaking_change') && (
          <Checkbox
            label="Publish values that were secret in that version"
            help="Their keys are public today, so browsers can read the values."
            checked={force}
            onChange={({ target }) => setForce(target.checked)}
          />
        )}
        <ReviewFooter {...footer} onBack={onClose} action={action} />
      </form>
    </Dialog>
  )
}

/** Previews the restore of versions, and makes it once it is confirmed. */
function useRestore(
  { versionIds, keys, environments, onDone }: RestoreDrawerProps,
  force: boolean,
) {
  const { params } = useOrganization()
  const { mutate, isPending, error } = useWrite(
    'POST /organizations/{org_id}/config-versions/restore',
  )
  const [attempt, setAttempt] = useState(0)
  const preview = useRestorePreview({ versionIds, keys, force, attempt })
  const affected = (preview.answer?.environments ?? []).flatMap(({ environmentId, changes }) => {
    const environment = environments.find(({ id }) => id === environmentId)
    return environment ? [{ environment, changes }] : []
  })
  const changesNothing = affected.every(({ changes }) => changes.length === 0)
  const restore = (confirmation: Confirmation) => {
    const restores = toRestores(versionIds, keys, preview.answer)
    mutate(
      { params, body: { restores, ...toBody(confirmation), ...(force && { force }) } },
      {
        onSuccess: () => {
          showToast({
            text:
              keys === undefined
                ? 'Restored as a new version.'
                : 'Undone. The values are saved as a new version.',
          })
          onDone()
        },
        onError: ({ code }) => {
          if (code === 'revision_mismatch') setAttempt(attempt + 1)
        },
      },
    )
  }
  const review = useReview({
    environments: affected.map(({ environment }) => environment),
    problem: error,
    isPending,
    canSave: preview.answer !== undefined && !changesNothing,
    onSave: restore,
  })
  const problem = error ?? preview.problem ?? null
  return { preview, affected, problem, ...review }
}

interface RestorePreview extends Pick<RestoreDrawerProps, 'versionIds' | 'keys'> {
  readonly force: boolean
  readonly attempt: number
}

/** Previews the changes by a dry run. */
function useRestorePreview({ versionIds, keys, force, attempt }: RestorePreview) {
  const { id: orgId } = useOrganization()
  const ids = versionIds.join()
  return usePreview(
    useCallback(
      (signal: AbortSignal) => {
        const restores = toRestores(ids.split(','), keys)
        const body = { restores, dryRun: true, ...(force && { force }) }
        const request = { params: { org_id: orgId }, body }
        return call('POST /organizations/{org_id}/config-versions/restore', request, signal)
      },
      [ids, keys, force, orgId],
    ),
    attempt,
  )
}

interface ChangesOfProps {
  readonly name: string
  readonly changes: readonly ValueChange[]
}

function ChangesOf({ name, changes }: ChangesOfProps) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">{name}</h3>
      <ChangeList label={`Changes in ${name}`} changes={changes} empty="No change for clients." />
    </section>
  )
}
