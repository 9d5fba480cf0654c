import { showToast } from '../../../components/toasts.tsx'
import { DeleteDialog } from '../delete-dialog.tsx'
import { toRequiredOf } from '../environments.ts'
import type { Matrix, MatrixKey } from '../matrix.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import { useReplaceKey } from './use-replace-key.ts'

interface DeleteKeyDialogProps {
  readonly schema: ConfigSchema
  readonly matrix: Matrix
  readonly row: MatrixKey
  readonly onClose: () => void
}

/** Deletes a key after its name was typed, which counts as the confirmation of every environment. */
export function DeleteKeyDialog({ schema, matrix, row, onClose }: DeleteKeyDialogProps) {
  const { environments } = matrix
  const { replace, isPending, error } = useReplaceKey(schema)
  const setIn = environments.filter((_, at) => row.cells[at]?.source === 'set')
  const required = toRequiredOf(environments)
  return (
    <DeleteDialog
      name={row.key}
      noun="key"
      write={{ isPending, error }}
      valuesHelp=""
      needsComment={required.comment}
      onDelete={({ comment }) =>
        replace(
          {
            name: row.key,
            key: undefined,
            confirmation: { confirm: required.names, comment },
            force: true,
          },
          () => {
            showToast({ text: `Deleted ${row.key}.` })
            onClose()
          },
        )
      }
      onClose={onClose}
    >
      <p>
        {setIn.length === 0
          ? 'No environment sets a value for it.'
          : `Applications lose its value in ${setIn.map(({ name }) => name).join(', ')}. A key of this name that you add here later begins without the old values; push asks whether they come back.`}
      </p>
      {row.declaredIn !== 'dashboard' && (
        <p>
          Your code declares this key: delete it there too, or the next <code>push</code> adds it
          again.
        </p>
      )}
    </DeleteDialog>
  )
}
