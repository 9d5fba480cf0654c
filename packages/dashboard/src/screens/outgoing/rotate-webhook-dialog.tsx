import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { fieldsOf } from '../../browser/read-fields.ts'
import { SelectField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useOrganization } from '../../session/organization.ts'
import type { OutgoingWebhook } from './outgoing-webhook.ts'
import { WebhookSecret } from './webhook-secret.tsx'

interface RotateWebhookDialogProps {
  readonly webhook: OutgoingWebhook
  readonly onClose: () => void
}

/** Replaces the secret of an outgoing webhook, and shows the new one once. */
export function RotateWebhookDialog({ webhook, onClose }: RotateWebhookDialogProps) {
  const { params } = useOrganization()
  const rotate = useWrite('POST /organizations/{org_id}/outgoing-webhooks/{webhook_id}/rotate')
  const [rotated, setRotated] =
    useState<AnswerOf<'POST /organizations/{org_id}/outgoing-webhooks/{webhook_id}/rotate'>>()

  if (rotated !== undefined) return <WebhookSecret webhook={rotated} onClose={onClose} />
  const submit = (form: HTMLFormElement) => {
    const overlapSeconds = Number(fieldsOf(form)('overlapSeconds'))
    const request = { params: { ...params, webhook_id: webhook.id }, body: { overlapSeconds } }
    rotate.mutate(request, { onSuccess: setRotated })
  }
  return (
    <FormDialog
      title={`New secret for ${webhook.name}`}
      description="Until the old secret ends, Signalbox signs each message with both, so the receiver refuses none."
      onClose={onClose}
      write={rotate}
      submitLabel="Make a new secret"
      onSubmit={submit}
    >
      <SelectField
        label="Keep signing with the old secret"
        name="overlapSeconds"
        defaultValue="86400"
      >
        <option value="0">not at all</option>
        <option value="3600">for an hour</option>
        <option value="86400">for a day</option>
        <option value="604800">for a week</option>
      </SelectField>
    </FormDialog>
  )
}
