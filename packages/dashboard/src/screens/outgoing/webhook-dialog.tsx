import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { fieldsOf } from '../../browser/read-fields.ts'
import { Checkbox, secretInput, SelectField, TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { eventLabels, eventNames, isEvent, type OutgoingWebhook } from './outgoing-webhook.ts'
import { WebhookSecret } from './webhook-secret.tsx'

type Created = AnswerOf<'POST /organizations/{org_id}/outgoing-webhooks'>

interface WebhookDialogProps {
  /** Holds the webhook to change; `undefined`: a new one. */
  readonly webhook: OutgoingWebhook | undefined
  readonly onClose: () => void
}

/** Creates or changes an outgoing webhook. Shows the secret of a new one once. */
export function WebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const create = useWrite('POST /organizations/{org_id}/outgoing-webhooks')
  const update = useWrite('PATCH /organizations/{org_id}/outgoing-webhooks/{webhook_id}')
  const [created, setCreated] = useState<Created>()
  const write = webhook === undefined ? create : update
  const { error } = write

  if (created !== undefined) return <WebhookSecret webhook={created} onClose={onClose} />
  const submit = (form: HTMLFormElement) => {
    const body = readWebhook(form)
    if (webhook === undefined) create.mutate({ body, onSuccess: setCreated })
    else {
      update.mutate({ params: { webhook_id: webhook.id }, body, onSuccess: onClose })
    }
  }
  return (
    <FormDialog
      title={webhook === undefined ? 'New outgoing webhook' : `Change ${webhook.name}`}
      description="Messages name keys and versions, and never hold a value."
      onClose={onClose}
      write={write}
      fields={['/name', '/url', '/events', '/authorization']}
      submitLabel={webhook === undefined ? 'Create webhook' : 'Save'}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        name="name"
        defaultValue={webhook?.name}
        error={error?.errorOf('/name')}
      />
      <TextField
        label="Address"
        name="url"
        type="url"
        placeholder="https://hooks.example.com/signalbox"
        defaultValue={webhook?.url}
        error={error?.errorOf('/url')}
      />
      <EventFields chosen={webhook?.events} hasNoEvent={error?.errorOf('/events') !== undefined} />
      <FormFields webhook={webhook} authorizationError={error?.errorOf('/authorization')} />
    </FormDialog>
  )
}

function readWebhook(form: HTMLFormElement) {
  const field = fieldsOf(form)
  const events = new FormData(form)
    .getAll('events')
    .filter((name) => typeof name === 'string')
    .filter(isEvent)
  const authorization = field('authorization')
  return {
    name: field('name'),
    url: field('url'),
    events,
    format: field('format') === 'grafana' ? ('grafana' as const) : ('generic' as const),
    ...(authorization !== '' && { authorization }),
    ...(field('removeAuthorization') !== '' && authorization === '' && { authorization: null }),
  }
}

interface EventFieldsProps {
  /** Lists the chosen events; `undefined`: all. */
  readonly chosen: OutgoingWebhook['events'] | undefined
  readonly hasNoEvent: boolean
}

function EventFields({ chosen, hasNoEvent }: EventFieldsProps) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">Events</legend>
      {eventNames.map((name) => (
        <Checkbox
          key={name}
          name="events"
          value={name}
          label={eventLabels[name]}
          help={<code>{name}</code>}
          defaultChecked={chosen === undefined || chosen.includes(name)}
        />
      ))}
      {hasNoEvent && (
        <p role="alert" className="text-sm text-bad">
          Select at least one event.
        </p>
      )}
    </fieldset>
  )
}

interface FormFieldsProps {
  readonly webhook: OutgoingWebhook | undefined
  readonly authorizationError: string | undefined
}

function FormFields({ webhook, authorizationError }: FormFieldsProps) {
  return (
    <>
      <SelectField label="Format" name="format" defaultValue={webhook?.format ?? 'generic'}>
        <option value="generic">Standard Webhooks</option>
        <option value="grafana">Grafana annotation</option>
      </SelectField>
      <TextField
        label="Authorization header (optional)"
        name="authorization"
        {...secretInput}
        placeholder="Bearer …"
        help={
          webhook?.hasAuthorization
            ? 'One is stored and never shown. Leave this empty to keep it. An address on another server needs it again.'
            : 'Only if the receiver needs one, as Grafana does.'
        }
        error={authorizationError}
      />
      {webhook?.hasAuthorization && (
        <Checkbox name="removeAuthorization" value="yes" label="Remove the stored header" />
      )}
    </>
  )
}
