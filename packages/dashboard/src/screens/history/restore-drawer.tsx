import { restoreExceptions } from '@signalbox/contract'
import { useCallback, useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Checkbox } from '../../components/field.tsx'
import { FormProblem, Skeleton } from '../../components/states.tsx'
import { call } from '../../api/call.ts'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import type { Environment } from '../configs/environments.ts'
import { ExceptionsField } from '../configs/promote/exceptions-field.tsx'
import { ChangeList, type ValueChange } from '../configs/review/change-list.tsx'
import { ReviewFooter } from '../configs/review/review-footer.tsx'
import { useReview } from '../configs/review/use-review.ts'
import { toBody, type Confirmation } from '../configs/use-save.ts'
import { usePreview } from '../configs/use-preview.ts'
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
  const restore = useRestore({ ...props, force })
  const { preview, affected, problem, turnedOff, onSubmit, footer } = restore
  const { action, ...words } = wordsOf(versionIds.length, keys)
  return (
    <Dialog shape="drawer" {...words} onClose={onClose}>
      <form className="flex flex-col gap-4" onSubmit={onSubmit}>
        {preview.answer === undefined && preview.problem === undefined && <Skeleton />}
        {affected.map(({ environment, changes }) => (
          <ChangesOf
            key={environment.id}
            name={environment.name}
            changes={changes}
            isPart={!turnedOff.isIncluded && turnedOff.names.length > 0}
          />
        ))}
        <ExceptionsField
          labels={{ turnedOff: 'Flags that are turned off' }}
          include={turnedOff.isIncluded ? restoreExceptions : []}
          excepted={{ expectedToDiffer: [], secret: [], turnedOff: turnedOff.names }}
          onInclude={(include) => turnedOff.setIncluded(include.length > 0)}
        />
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

interface ChangesOfProps {
  readonly name: string
  readonly changes: readonly ValueChange[]
  /** Says that something is left out. */
  readonly isPart: boolean
}

function ChangesOf({ name, changes, isPart }: ChangesOfProps) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">{name}</h3>
      <ChangeList
        label={`Changes in ${name}`}
        changes={changes}
        empty={isPart ? 'No change but in what is left out.' : 'No change for clients.'}
      />
    </section>
  )
}

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
function useRestore({ versionIds, keys, environments, force, onDone }: Restore) {
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
    mutate({
      body,
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
    })
  }
  const review = useReview({
    environments: affected.map(({ environment }) => environment),
    requires: preview.answer?.requires,
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
