import { labelChannel } from '@signalbox/contract'
import { Button } from '../../components/button.tsx'
import { ChannelPicker } from '../integrations/chat/channel-picker.tsx'

interface Channel {
  readonly id: string
  readonly name: string
}

interface ChannelFieldProps {
  readonly channel: Channel | undefined
  readonly onChange: (channel: Channel | undefined) => void
  /** Holds the reason why the channel was refused. */
  readonly error?: string | undefined
}

/** Renders the selected channel, or the search for one. */
export function ChannelField({ channel, onChange, error }: ChannelFieldProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Channel</legend>
      {channel === undefined ? (
        <ChannelPicker onChoose={onChange} />
      ) : (
        <div className="flex items-center justify-between gap-2">
          <span className="break-all">{labelChannel(channel.name)}</span>
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
