import { Button } from '../../../components/button.tsx'
import { DialogActions } from '../../../components/dialog.tsx'
import {
  ConfirmationFields,
  nameAction,
  type TypedConfirmation,
  type Watch,
} from './confirmation-fields.tsx'
import type { Required } from './review-lines.ts'

interface ReviewFooterProps {
  /** Describes the confirmation that the change requires. */
  readonly required: Required
  readonly typed: TypedConfirmation
  readonly onTyped: (typed: TypedConfirmation) => void
  readonly watch?: Watch
  /** Names the button that leaves without a change. Default `Cancel`. */
  readonly back?: string
  readonly onBack: () => void
  /** Names the button that makes the change. */
  readonly action: string
  readonly pending: boolean
  readonly disabled: boolean
}

/** Renders the end of a form that changes environments: what they ask for, and the buttons that leave it and send it. */
export function ReviewFooter(props: ReviewFooterProps) {
  const {
    required,
    typed,
    onTyped,
    watch,
    back = 'Cancel',
    onBack,
    action,
    pending,
    disabled,
  } = props
  return (
    <>
      <ConfirmationFields required={required} typed={typed} onTyped={onTyped} watch={watch} />
      <DialogActions>
        <Button onClick={onBack}>{back}</Button>
        <Button type="submit" variant="primary" pending={pending} disabled={disabled}>
          {nameAction(required, action)}
        </Button>
      </DialogActions>
    </>
  )
}
