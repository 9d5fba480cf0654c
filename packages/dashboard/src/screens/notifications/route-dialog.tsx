import { useState, type FormEvent } from 'react'
import { useList, useWrite } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Checkbox, SelectField, TextField } from '../../parts/field.tsx'
import { fieldsOf } from '../../parts/read-fields.ts'
import { FormProblem } from '../../parts/states.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { ChannelPicker } from '../integrations/chat/channel-picker.tsx'
import {
  eventLabels,
  oneOf,
  readNames,
  stateLabels,
  type Match,
  type RouteEvent,
} from './route-form.ts'
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
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments', {
    params,
  })
  const create = useWrite('POST /organizations/{org_id}/notification-routes')
  const update = useWrite('PATCH /organizations/{org_id}/notification-routes/{route_id}')
  const [channel, setChannel] = useState(route && { id: route.channelId, name: route.channelName })
  const [match, setMatch] = useState(route?.match ?? everything)
  const error = create.error ?? update.error

  const toggle = (id: string, isOn: boolean) => {
    const ids = (match.environmentIds ?? []).filter((one) => one !== id)
    const next = isOn ? [...ids, id] : ids
    setMatch({ ...match, environmentIds: next.length === 0 ? null : next })
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (channel === undefined) return
    const data = new FormData(event.currentTarget)
    const body = {
      name: fieldsOf(event.currentTarget)('name'),
      channelId: channel.id,
      channelName: channel.name,
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
      title={route === undefined ? 'New route' : `Route ${route.name}`}
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <FormProblem problem={error} fields={['/name']} />
        <TextField
          label="Name"
          name="name"
          defaultValue={route?.name}
          autoComplete="off"
          autoFocus
          placeholder="Failures in production"
          fault={error?.faultOf('/name')}
        />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-medium">Channel</legend>
          {channel === undefined ? (
            <ChannelPicker onChoose={setChannel} />
          ) : (
            <div className="flex items-center justify-between gap-2">
              <span className="break-all">#{channel.name}</span>
              <Button look="quiet" onClick={() => setChannel(undefined)}>
                Another one
              </Button>
            </div>
          )}
        </fieldset>
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 font-medium">Tells of</legend>
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
        <SelectField
          label="Of deployments"
          value={match.states}
          onChange={({ target }) =>
            setMatch({ ...match, states: oneOf(target.value, ['always', 'changes', 'failures']) })
          }
        >
          {Object.entries(stateLabels).map(([state, label]) => (
            <option key={state} value={state}>
              {label}
            </option>
          ))}
        </SelectField>
        <fieldset>
          <legend className="mb-1 font-medium">In</legend>
          <div className="flex flex-wrap gap-x-4 gap-y-1">
            {environments.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={name}
                checked={match.environmentIds?.includes(id) === true}
                onChange={({ target }) => toggle(id, target.checked)}
              />
            ))}
          </div>
          <p className="mt-1 text-sm text-muted">None chosen: all of them.</p>
        </fieldset>
        <TextField
          label="On branches"
          defaultValue={match.branches?.join(', ')}
          placeholder="main, release/*"
          autoComplete="off"
          spellCheck={false}
          hint="Left empty: all of them."
          onBlur={({ target }) => setMatch({ ...match, branches: readNames(target.value) })}
        />
        <Checkbox
          name="broadcastFailures"
          label="Show failures to the whole channel"
          hint="Besides standing in the message’s thread."
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
