import { labelChannel } from '@signalbox/contract'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ChannelPicker } from '../integrations/chat/channel-picker.tsx'

/** Describes the channel that a route is to have. */
export interface ChosenChannel {
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
export function ChannelField({ channel, onChange, error }: ChannelFieldProps) {
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
