import { useState } from 'react'
import { labelChannel, nameOfRef } from '@signalbox/contract'
import { useQuery } from '@tanstack/react-query'
import { useWrite } from '../../api/use-api.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Checkbox, TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { useOrganization } from '../../session/organization.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { call } from '../../api/call.ts'
import { Loaded } from '../../components/states.tsx'
import { Age } from '../../components/time.tsx'
import { useDebounced } from '../../browser/use-debounced.ts'
import { ChannelPicker } from '../integrations/chat/channel-picker.tsx'
import { deploymentVariants } from '../deployments/states.ts'
import { MatchFields } from './match-fields.tsx'
import { eventLabels, type Match, type RouteEvent } from './route-form.ts'
import type { NotificationRoute } from './notification-route.ts'

interface RouteDialogProps {
  /** Holds the route to change. `undefined`: creates a new one. */
  readonly route: NotificationRoute | undefined
  readonly onClose: () => void
}

const events: readonly RouteEvent[] = [
  'deployment',
  'integration_attention',
  'protected_configuration',
]
const everything: Match = {
  environmentIds: null,
  repositories: null,
  branches: null,
  states: 'always',
}

/** Creates or changes a route, and previews the past deployments that it would have announced. */
export function RouteDialog({ route, onClose }: RouteDialogProps) {
  const create = useWrite('POST /organizations/{org_id}/notification-routes')
  const update = useWrite('PATCH /organizations/{org_id}/notification-routes/{route_id}')
  const [channel, setChannel] = useState<ChosenChannel | undefined>(
    route && { id: route.channelId, name: route.channelName },
  )
  const [match, setMatch] = useState(route?.match ?? everything)
  const [isSent, setSent] = useState(false)
  const error = create.error ?? update.error
  const unchosen = unchosenChannel(isSent, channel)

  const submit = (form: HTMLFormElement) => {
    setSent(true)
    if (channel === undefined || match.environmentIds?.length === 0) return
    const data = new FormData(form)
    const body = {
      name: fieldsOf(form)('name'),
      channelId: channel.id,
      match,
      events: events.filter((one) => data.getAll('events').includes(one)),
      broadcastFailures: data.has('broadcastFailures'),
    }
    if (route === undefined) create.mutate({ body, onSuccess: onClose })
    else update.mutate({ params: { route_id: route.id }, body, onSuccess: onClose })
  }
  return (
    <FormDialog
      shape="drawer"
      isForm
      title={route === undefined ? 'New route' : `Route ${route.name}`}
      onClose={onClose}
      write={{ isPending: create.isPending || update.isPending, error }}
      fields={['/name', '/channelId']}
      submitLabel="Save"
      onSubmit={submit}
    >
      <NameField route={route} error={error?.errorOf('/name')} />
      <ChannelField
        channel={channel}
        onChange={setChannel}
        error={unchosen ?? error?.errorOf('/channelId')}
      />
      <EventFields route={route} />
      <MatchFields match={match} onChange={setMatch} isUnselected={isSent} />
      <Checkbox
        name="broadcastFailures"
        label="Show failures to the whole channel"
        help="In addition to the message’s thread."
        defaultChecked={route?.broadcastFailures ?? false}
      />
      <RoutePreview match={match} />
    </FormDialog>
  )
}

/** Returns the error of a form that was sent without a channel. */
function unchosenChannel(isSent: boolean, channel: object | undefined): string | undefined {
  return isSent && channel === undefined ? 'Choose a channel.' : undefined
}

interface NameFieldProps extends Pick<RouteDialogProps, 'route'> {
  readonly error: string | undefined
}

function NameField({ route, error }: NameFieldProps) {
  return (
    <TextField
      label="Name"
      name="name"
      defaultValue={route?.name}
      autoFocus
      placeholder="Failures in production"
      error={error}
    />
  )
}

function EventFields({ route }: Pick<RouteDialogProps, 'route'>) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">Notify about</legend>
      {events.map((one) => (
        <Checkbox
          key={one}
          name="events"
          value={one}
          label={eventLabels[one]}
          defaultChecked={route === undefined ? one === 'deployment' : route.events.includes(one)}
        />
      ))}
    </fieldset>
  )
}

/** Describes the channel that a route is to have. */
interface ChosenChannel {
  readonly id: string
  readonly name: string
  /** Says what keeps messages out of it, where it was chosen from the list. */
  readonly obstacle?: string | undefined
}

interface ChannelFieldProps {
  readonly channel: ChosenChannel | undefined
  readonly onChange: (channel: ChosenChannel | undefined) => void
  /** Holds the reason why the channel was refused. */
  readonly error?: string | undefined
}

/** Renders the selected channel, or the search for one. */
function ChannelField({ channel, onChange, error }: ChannelFieldProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Channel</legend>
      {channel === undefined ? (
        <ChannelPicker onChoose={({ id, name }, obstacle) => onChange({ id, name, obstacle })} />
      ) : (
        <div className="flex items-center justify-between gap-2">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="break-all">{labelChannel(channel.name)}</span>
            {channel.obstacle !== undefined && <Badge tone="bad">{channel.obstacle}</Badge>}
          </span>
          <Button variant="quiet" onClick={() => onChange(undefined)}>
            Choose another
          </Button>
        </div>
      )}
      {error !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}

const route = 'POST /organizations/{org_id}/notification-routes/preview'
const previewCount = 5

/** Shows which of the last hundred deployments a route would have announced; nothing while no environment is selected. */
function RoutePreview({ match }: { readonly match: Match }) {
  const { params } = useOrganization()
  const settled = useDebounced(match)
  const preview = useQuery({
    queryKey: [route, params, settled],
    queryFn: ({ signal }) => call(route, { params, body: { match: settled } }, signal),
    placeholderData: (before) => before,
    enabled: isComplete(settled),
  })
  if (!isComplete(match)) return null
  return (
    <section aria-label="Preview" className="rounded-md bg-raised p-3">
      <Loaded query={preview} skeleton={<p className="text-muted">Loading recent deployments …</p>}>
        {({ matched, looked }) => (
          <>
            <p className="font-medium">
              {looked === 0
                ? 'No deployments yet.'
                : `Matches ${matched.length} of the last ${looked} deployments`}
            </p>
            <ul className="mt-1 flex flex-col gap-1 text-sm">
              {matched
                .slice(0, previewCount)
                .map(({ id, repository, hostEnvironment, ref, state, createdAt }) => (
                  <li key={id} className="flex justify-between gap-3">
                    <span className="min-w-0 truncate">
                      {repository} · {hostEnvironment} · {nameOfRef(ref)} ·{' '}
                      {deploymentVariants[state].word}
                    </span>
                    <Age at={createdAt} />
                  </li>
                ))}
              {matched.length > previewCount && (
                <li className="text-muted">and {matched.length - previewCount} more</li>
              )}
            </ul>
          </>
        )}
      </Loaded>
    </section>
  )
}

function isComplete({ environmentIds }: Match): boolean {
  return environmentIds?.length !== 0
}
