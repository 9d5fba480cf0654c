import type { ReactNode } from 'react'
import type { ApiProblem } from '../api/problem.ts'
import { Button } from './button.tsx'
import { Dialog, DialogActions, type DialogProps } from './dialog.tsx'
import { FormProblem } from './states.tsx'

interface FormDialogProps extends Omit<DialogProps, 'isShownOnce'> {
  /** Holds what the server answered to the last try. */
  readonly problem: ApiProblem | null
  /** The pointers of what is shown beside its field, such as `['/email']`, and not above the form as well. */
  readonly fields?: readonly string[]
  /** The text of the button that sends the form. */
  readonly submitLabel: string
  readonly pending: boolean
  readonly disabled?: boolean
  /** Left out: the browser checks the fields first. */
  readonly noValidate?: boolean
  readonly onSubmit: (form: HTMLFormElement) => void
  readonly children: ReactNode
}

/** Shows a form in a dialog: what was refused, the fields, and the buttons that cancel and send it. */
export function FormDialog({
  problem,
  fields = [],
  submitLabel,
  pending,
  disabled = false,
  noValidate = false,
  onSubmit,
  children,
  ...dialog
}: FormDialogProps) {
  return (
    <Dialog {...dialog}>
      <form
        className="flex flex-col gap-4"
        noValidate={noValidate}
        onSubmit={(event) => {
          event.preventDefault()
          if (!pending && !disabled) onSubmit(event.currentTarget)
        }}
      >
        <FormProblem problem={problem} fields={fields} />
        {children}
        <DialogActions>
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={pending} disabled={disabled}>
            {submitLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
