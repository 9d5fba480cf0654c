import { useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions, noWrite, type DialogWrite } from './dialog.tsx'
import { TextField } from './field.tsx'
import { FormProblem } from './states.tsx'

interface ConfirmDialogProps {
  readonly title: string
  /** Explains the effect, and what cannot be undone. */
  readonly children: ReactNode
  /** The verb of the button: "Revoke key", never "OK". */
  readonly action: string
  /** Holds the text that the person must type first, for very destructive actions. */
  readonly typed?: string | undefined
  /** Holds the write that the confirmation starts. */
  readonly write?: DialogWrite
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog({
  title,
  children,
  action,
  typed,
  write: { isPending, error } = noWrite,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [text, setText] = useState('')
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isPending && (typed === undefined || text === typed)) onConfirm()
        }}
      >
        <div>{children}</div>
        {typed !== undefined && (
          <TextField
            label={`Type "${typed}" to confirm`}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
        <FormProblem problem={error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="danger"
            pending={isPending}
            disabled={typed !== undefined && text !== typed}
          >
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
