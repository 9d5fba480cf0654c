import { useWrite } from '../../api/use-api.ts'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import { DeleteDialog, type DeleteChoice } from '../configs/delete-dialog.tsx'
import type { Environment } from '../configs/environments.ts'

interface DeleteEnvironmentProps {
  readonly environment: Environment
  /** Names the environments that inherit from it, which prevent the deletion. */
  readonly descendants: readonly string[]
  readonly onClose: () => void
}

/** Deletes an environment after its name was typed. */
export function DeleteEnvironment({ environment, descendants, onClose }: DeleteEnvironmentProps) {
  const { params } = useOrganization()
  const { id, name, protection, revision } = environment
  const remove = useWrite('DELETE /organizations/{org_id}/environments/{environment_id}')
  const onDelete = ({ force, comment }: DeleteChoice) =>
    remove.mutate(
      {
        params: { ...params, environment_id: id },
        query: {
          ...(force && { force: 'true' as const }),
          ...(protection.confirm && { confirm: name }),
          ...(protection.comment && { comment: comment.trim() }),
        },
        ifMatch: revision,
      },
      {
        onSuccess: () => {
          showToast({ text: `${name} was deleted.` })
          onClose()
        },
      },
    )
  return (
    <DeleteDialog
      name={name}
      noun="environment"
      write={remove}
      valuesHelp="It has values. Delete them together with the environment."
      needsComment={protection.comment}
      isBlocked={descendants.length > 0}
      onDelete={onDelete}
      onClose={onClose}
    >
      <p>
        This permanently deletes its values and their history. Applications that read it get an
        error. Deployments stay.
      </p>
      {descendants.length > 0 && (
        <p className="rounded-md bg-warn-ground px-3 py-2 break-words text-warn">
          Give {descendants.join(', ')} another parent first: values that are not set there come
          from here.
        </p>
      )}
    </DeleteDialog>
  )
}
