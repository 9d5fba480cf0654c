import { Button } from '../../components/button.tsx'
import { ChannelPicker } from '../integrations/chat/channel-picker.tsx'

interface Channel {
  readonly id: string
  readonly name: string
}

interface ChannelFieldProps {
  readonly channel: Channel | undefined
  readonly onChange: (channel: Channel | undefined) => void
  /** Why the channel that was chosen is not taken. */
  readonly error?: string | undefined
}

/** Shows the channel that is chosen, or the list to choose it from. */
export function ChannelField({ channel, onChange, error }: ChannelFieldProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Channel</legend>
      {channel === undefined ? (
        <ChannelPicker onChoose={onChange} />
      ) : (
        <div className="flex items-center justify-between gap-2">
          <span className="break-all">#{channel.name}</span>
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
