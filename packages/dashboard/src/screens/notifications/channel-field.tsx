import { Button } from '../../parts/button.tsx'
import { ChannelPicker } from '../integrations/chat/channel-picker.tsx'

interface Channel {
  readonly id: string
  readonly name: string
}

interface ChannelFieldProps {
  readonly channel: Channel | undefined
  readonly onChange: (channel: Channel | undefined) => void
  /** Why the channel that was chosen is not taken. */
  readonly fault?: string | undefined
}

/** The channel that is chosen, or the list to choose it from. */
export function ChannelField({ channel, onChange, fault }: ChannelFieldProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Channel</legend>
      {channel === undefined ? (
        <ChannelPicker onChoose={onChange} />
      ) : (
        <div className="flex items-center justify-between gap-2">
          <span className="break-all">#{channel.name}</span>
          <Button look="quiet" onClick={() => onChange(undefined)}>
            Choose another
          </Button>
        </div>
      )}
      {fault !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {fault}
        </p>
      )}
    </fieldset>
  )
}
