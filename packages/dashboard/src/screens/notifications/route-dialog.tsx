import { useState, type FormEvent } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { fieldsOf } from '../../parts/read-fields.ts'
import { FormProblem } from '../../parts/states.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { ChannelField } from './channel-field.tsx'
import { MatchFields } from './match-fields.tsx'
import { eventLabels, type Match, type RouteEvent } from './route-form.ts'
import { RoutePreview } from './route-preview.tsx'
import type { NotificationRoute } from './route-row.tsx'

interface RouteDialogProps {
  /** `undefined`: a new one. */
  readonly route: NotificationRoute | undefined
  readonly onClose: () => void
}

const events: readonly RouteEvent[] = [
  'deployment',
  'integration_attention',
  'protected_configuration',
]
const everything: Match = { environmentIds: null, branches: null, states: 'always' }

/** A route, with the deployments of the past that it would have told of. */
export function RouteDialog({ route, onClose }: RouteDialogProps) {
  const { params } = useOrganization()
  const create = useWrite('POST /organizations/{org_id}/notification-routes')
  const update = useWrite('PATCH /organizations/{org_id}/notification-routes/{route_id}')
  const [channel, setChannel] = useState(route && { id: route.channelId, name: route.channelName })
  const [match, setMatch] = useState(route?.match ?? everything)
  const error = create.error ?? update.error

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (channel === undefined) return
    const data = new FormData(event.currentTarget)
    const body = {
      name: fieldsOf(event.currentTarget)('name'),
      channelId: channel.id,
      match,
      events: events.filter((one) => data.getAll('events').includes(one)),
      broadcastFailures: data.has('broadcastFailures'),
    }
    if (route === undefined) create.mutate({ params, body }, { onSuccess: onClose })
    else update.mutate({ params: { ...params, route_id: route.id }, body }, { onSuccess: onClose })
  }
  return (
    <Dialog
      shape="drawer"
      isForm
      title={route === undefined ? 'New route' : `Route ${route.name}`}
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <FormProblem problem={error} fields={['/name', '/channelId']} />
        <TextField
          label="Name"
          name="name"
          defaultValue={route?.name}
          autoComplete="off"
          autoFocus
          placeholder="Failures in production"
          fault={error?.faultOf('/name')}
        />
        <ChannelField
          channel={channel}
          onChange={setChannel}
          fault={error?.faultOf('/channelId')}
        />
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 font-medium">Notify about</legend>
          {events.map((one) => (
            <Checkbox
              key={one}
              name="events"
              value={one}
              label={eventLabels[one]}
              defaultChecked={
                route === undefined ? one === 'deployment' : route.events.includes(one)
              }
            />
          ))}
        </fieldset>
        <MatchFields match={match} onChange={setMatch} />
        <Checkbox
          name="broadcastFailures"
          label="Show failures to the whole channel"
          hint="In addition to the message’s thread."
          defaultChecked={route?.broadcastFailures ?? false}
        />
        <RoutePreview match={match} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            disabled={channel === undefined}
            pending={create.isPending || update.isPending}
          >
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
