import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { TextArea } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { showToast } from '../../components/toasts.tsx'
import type { DialogWrite } from '../../components/dialog.tsx'
import { nameDecision, type Decision } from '../deployments/gate/describe-decision.ts'

interface DecisionDialogsProps {
  readonly decision: Decision
}

interface DecisionDialogProps extends DecisionDialogsProps {
  readonly onClose: () => void
}

/** Renders the dialog that the address names, if the person may do what it does. */
export function DecisionDialogs({ decision }: DecisionDialogsProps) {
  const { panel } = useSearch({ from: '/$org/gates/$decisionId' })
  const navigate = useNavigate({ from: '/$org/gates/$decisionId' })
  const { may } = decision
  const dialog = { decision, onClose: () => void navigate({ search: {}, replace: true }) }
  if (panel === 'approve' && may.approve) return <ApproveDecision {...dialog} />
  if (panel === 'override' && may.override) return <OverrideDecision {...dialog} />
  if (panel === 'refuse' && may.refuse) return <RefuseDecision {...dialog} />
  return null
}

function ApproveDecision({ decision, onClose }: DecisionDialogProps) {
  const approve = useWrite('POST /organizations/{org_id}/gate-decisions/{decision_id}/approve')
  return (
    <CommentDialog
      title={`Approve ${nameDecision(decision)}`}
      description="It goes on once everything else that it waits for is met too."
      label="Comment (optional)"
      submitLabel="Approve"
      isOptional
      write={approve}
      onClose={onClose}
      onSubmit={(comment) =>
        approve.mutate({
          params: { decision_id: decision.id },
          body: comment === '' ? {} : { comment },
          onSuccess: onClose,
        })
      }
    />
  )
}

function OverrideDecision({ decision, onClose }: DecisionDialogProps) {
  const override = useWrite('POST /organizations/{org_id}/gate-decisions/{decision_id}/override')
  const { environment, hostEnvironment } = decision
  const where = environment ?? hostEnvironment
  return (
    <CommentDialog
      title={`Let ${nameDecision(decision)} go on`}
      description={`For emergencies. It goes on now, whatever it waits for. The audit log records it, the channels of ${where} get a message, and it stays under “Needs attention” for a week.`}
      label="Why it can’t wait"
      submitLabel="Let it go on"
      write={override}
      onClose={onClose}
      onSubmit={(comment) =>
        override.mutate({
          params: { decision_id: decision.id },
          body: { comment },
          onSuccess: () => {
            showToast({ text: 'It goes on, although its rules are not met.' })
            onClose()
          },
        })
      }
    />
  )
}

function RefuseDecision({ decision, onClose }: DecisionDialogProps) {
  const refuse = useWrite('POST /organizations/{org_id}/gate-decisions/{decision_id}/refuse')
  return (
    <CommentDialog
      title={`Refuse ${nameDecision(decision)}`}
      description="It ends, and does not go on when its rules are met. To try again, somebody deploys it again."
      label="Why"
      submitLabel="Refuse"
      write={refuse}
      onClose={onClose}
      onSubmit={(comment) =>
        refuse.mutate({
          params: { decision_id: decision.id },
          body: { comment },
          onSuccess: onClose,
        })
      }
    />
  )
}

interface CommentDialogProps {
  readonly title: string
  readonly description: ReactNode
  /** Labels the field. */
  readonly label: string
  readonly submitLabel: string
  readonly isOptional?: boolean
  readonly write: DialogWrite
  readonly onSubmit: (comment: string) => void
  readonly onClose: () => void
}

/** Asks for a comment, and does what its button says. */
function CommentDialog({
  label,
  isOptional = false,
  write,
  onSubmit,
  ...dialog
}: CommentDialogProps) {
  const [comment, setComment] = useState('')
  return (
    <FormDialog
      {...dialog}
      write={write}
      fields={['/comment']}
      disabled={!isOptional && comment.trim() === ''}
      onSubmit={() => onSubmit(comment.trim())}
    >
      <TextArea
        label={label}
        help="Everybody who opens the decision sees it."
        required={!isOptional}
        rows={3}
        maxLength={1000}
        value={comment}
        error={write.error?.errorOf('/comment')}
        onChange={({ target }) => setComment(target.value)}
      />
    </FormDialog>
  )
}
