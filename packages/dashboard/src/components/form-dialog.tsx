import { useRef, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions, noWrite, type DialogProps, type DialogWrite } from './dialog.tsx'
import { FormProblem } from './states.tsx'
import { useFocusRefused } from './use-focus-refused.ts'

interface FormDialogProps extends Omit<DialogProps, 'isShownOnce'> {
  /** Holds the write that the form starts. */
  readonly write?: DialogWrite
  /** Lists the pointers of errors that the fields show, such as `['/email']`. The others are shown above the form. */
  readonly fields?: readonly string[]
  /** The text of the button that sends the form. */
  readonly submitLabel: string
  readonly disabled?: boolean
  /** Says whether the browser checks the fields before the form is sent. */
  readonly validates?: boolean
  readonly onSubmit: (form: HTMLFormElement) => void
  readonly children: ReactNode
}

/** Renders a form in a dialog: the rejection, the fields, and the buttons that cancel and submit it. */
export function FormDialog({
  write: { isPending, error } = noWrite,
  fields = [],
  submitLabel,
  disabled = false,
  validates = false,
  onSubmit,
  children,
  ...dialog
}: FormDialogProps) {
  const form = useRef<HTMLFormElement>(null)
  useFocusRefused(form, error)
  return (
    <Dialog {...dialog}>
      <form
        ref={form}
        className="flex flex-col gap-4"
        noValidate={!validates}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isPending && !disabled) onSubmit(event.currentTarget)
        }}
      >
        <FormProblem problem={error} fields={fields} />
        {children}
        <DialogActions>
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={isPending} disabled={disabled}>
            {submitLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
