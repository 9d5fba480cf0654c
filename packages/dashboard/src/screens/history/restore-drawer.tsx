import { restoreExceptions } from '@signalbox/contract'
import { useState } from 'react'
import type { Environment } from '../configs/environments.ts'
import { ExceptionsField } from '../configs/promote/exceptions-field.tsx'
import { ChangeList, type ValueChange } from '../configs/review/change-list.tsx'
import { ReviewFooter } from '../configs/review/review-footer.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Checkbox } from '../../components/field.tsx'
import { FormProblem, Skeleton } from '../../components/states.tsx'
import { useRestore } from './use-restore.ts'

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
