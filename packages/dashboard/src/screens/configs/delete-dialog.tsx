import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActions, type DialogWrite } from '../../components/dialog.tsx'
import { Checkbox, TextField } from '../../components/field.tsx'
import { FormProblem } from '../../components/states.tsx'

/** Describes how a deletion was confirmed. */
export interface DeleteChoice {
  /** Says whether its values are deleted as well. */
  readonly force: boolean
  readonly comment: string
}

interface DeleteDialogProps {
  readonly name: string
  readonly noun: 'environment' | 'schema' | 'key'
  readonly write: DialogWrite
  /** Explains why it cannot be deleted without its values. */
  readonly valuesHelp: string
  readonly needsComment: boolean
  /** Says whether something else prevents the deletion. */
  readonly isBlocked?: boolean
  readonly onDelete: (choice: DeleteChoice) => void
  readonly onClose: () => void
  /** Explains what is lost. */
  readonly children: ReactNode
}

/** Asks for the name of what is deleted. If it holds values, it warns, and deletes it only together with them. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { name, noun, write, needsComment, isBlocked = false, onDelete, onClose } = props
  const [typedName, setTypedName] = useState('')
  const [comment, setComment] = useState('')
  const [force, setForce] = useState(false)
  const isRefusedForValues = write.error?.code === `${noun}_in_use`
  const isReady = !isBlocked && typedName === name && (!needsComment || comment.trim() !== '')

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !write.isPending) onDelete({ force, comment })
  }
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose}>
      <form className="flex flex-col gap-4" onSubmit={submit}>
        {props.children}
        <FormProblem problem={isRefusedForValues ? null : write.error} />
        {(isRefusedForValues || force) && (
          <Checkbox
            label="Also delete its values"
            help={props.valuesHelp}
            checked={force}
            onChange={({ target }) => setForce(target.checked)}
          />
        )}
        {needsComment && (
          <TextField
            label="Why"
            value={comment}
            maxLength={1000}
            required
            onChange={({ target }) => setComment(target.value)}
          />
        )}
        <TextField
          label={`Type "${name}" to confirm`}
          value={typedName}
          spellCheck={false}
          onChange={({ target }) => setTypedName(target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" pending={write.isPending} disabled={!isReady}>
            Delete {noun}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
