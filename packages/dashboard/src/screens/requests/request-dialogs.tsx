import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { TextArea, TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { toLocal, toMoment } from '../../browser/local-time.ts'
import { timeZone } from '../../components/time.tsx'
import { showToast } from '../../components/toasts.tsx'
import type { ChangeRequest } from './describe-request.ts'
import { toRevision } from './to-revision.ts'

interface RequestDialogsProps {
  readonly request: ChangeRequest
}

interface RequestDialogProps extends RequestDialogsProps {
  readonly onClose: () => void
}

/** Renders the dialog that the address names, if the person may do what it does. */
export function RequestDialogs({ request }: RequestDialogsProps) {
  const { panel } = useSearch({ from: '/$org/requests/$requestId' })
  const navigate = useNavigate({ from: '/$org/requests/$requestId' })
  const { may } = request
  const dialog = { request, onClose: () => void navigate({ search: {}, replace: true }) }
  if (panel === 'edit' && may.revise) return <EditRequest {...dialog} />
  if (panel === 'schedule' && may.withdraw) return <ScheduleRequest {...dialog} />
  if (panel === 'override' && may.override) return <OverrideRequest {...dialog} />
  return null
}

function EditRequest({ request, onClose }: RequestDialogProps) {
  const revise = useWrite('PUT /organizations/{org_id}/change-requests/{request_id}')
  const [title, setTitle] = useState(request.title)
  const [reason, setReason] = useState(request.reason)
  const isEdited = title !== request.title || reason !== request.reason
  return (
    <FormDialog
      validates
      title="Edit title and reason"
      description="The change stays the same. Approvals start over, because people approve what they read."
      write={revise}
      fields={['/title', '/reason']}
      submitLabel="Save"
      disabled={!isEdited}
      onSubmit={() =>
        revise.mutate({
          params: { request_id: request.id },
          body: toRevision(request, { title, reason }),
          ifMatch: request.version,
          onSuccess: onClose,
        })
      }
      onClose={onClose}
    >
      <TextField
        label="Title"
        required
        maxLength={200}
        value={title}
        error={revise.error?.errorOf('/title')}
        onChange={({ target }) => setTitle(target.value)}
      />
      <TextArea
        label="Why (optional)"
        maxLength={2000}
        value={reason}
        error={revise.error?.errorOf('/reason')}
        onChange={({ target }) => setReason(target.value)}
      />
    </FormDialog>
  )
}

function ScheduleRequest({ request, onClose }: RequestDialogProps) {
  const schedule = useWrite('POST /organizations/{org_id}/change-requests/{request_id}/schedule')
  const [at, setAt] = useState(() => toLocal(request.applyAt))
  const send = (applyAt: string | null) =>
    schedule.mutate({
      params: { request_id: request.id },
      body: { applyAt },
      onSuccess: onClose,
    })
  return (
    <FormDialog
      validates
      title="Apply at a time"
      description="At that time it applies itself, if it has its approvals. Without them it waits on."
      write={schedule}
      fields={['/applyAt']}
      submitLabel="Schedule"
      disabled={toMoment(at) === undefined}
      onSubmit={() => send(toMoment(at) ?? null)}
      onClose={onClose}
    >
      <TextField
        type="datetime-local"
        label="Apply at"
        help={`In your time zone, ${timeZone}. At most 90 days ahead.`}
        required
        value={at}
        error={schedule.error?.errorOf('/applyAt')}
        onChange={({ target }) => setAt(target.value)}
      />
      {request.applyAt !== null && (
        <div>
          <Button pending={schedule.isPending} onClick={() => send(null)}>
            Remove the time
          </Button>
        </div>
      )}
    </FormDialog>
  )
}

const commentMin = 10

function OverrideRequest({ request, onClose }: RequestDialogProps) {
  const override = useWrite('POST /organizations/{org_id}/change-requests/{request_id}/override')
  const [comment, setComment] = useState('')
  const names = request.environments.map(({ name }) => name).join(', ')
  return (
    <FormDialog
      title="Apply without approvals"
      description={`For emergencies. The change goes live in ${names} immediately. The audit log records it, every channel of ${names} gets a message, and it stays under “Needs attention” until another member has seen it.`}
      write={override}
      fields={['/comment']}
      submitLabel="Apply without approvals"
      disabled={comment.trim().length < commentMin}
      onSubmit={() =>
        override.mutate({
          params: { request_id: request.id },
          body: { comment },
          onSuccess: () => {
            showToast({ text: 'Applied without approvals. The change is live.' })
            onClose()
          },
        })
      }
      onClose={onClose}
    >
      <TextArea
        label="Why it can’t wait"
        help={`At least ${commentMin} characters. Everybody who reads the request sees it.`}
        required
        rows={3}
        maxLength={1000}
        value={comment}
        error={override.error?.errorOf('/comment')}
        onChange={({ target }) => setComment(target.value)}
      />
    </FormDialog>
  )
}
