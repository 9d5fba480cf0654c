import { labelChannel } from '@signalbox/contract'
import { RefreshCw } from 'lucide-react'
import type { ApiProblem } from '../../../api/problem.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogActions } from '../../../components/dialog.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { ChannelPicker } from './channel-picker.tsx'
import type { Channel } from './channel.ts'
import { useProviderName } from '../../../session/use-provider-name.ts'

interface ChannelDialogProps {
  readonly title: string
  readonly current: string | null
  readonly pending: boolean
  readonly problem: ApiProblem | null
  readonly onChoose: (channel: Pick<Channel, 'id' | 'name'>) => void
  readonly onClose: () => void
}

/** Holds the pointer of a rejection of the channel. */
const pointer = '/defaultChannelId'

/** Lets a person choose a channel. */
export function ChannelDialog({
  title,
  current,
  pending,
  problem,
  onChoose,
  onClose,
}: ChannelDialogProps) {
  const name = useProviderName('chat')
  return (
    <Dialog
      title={title}
      description={current === null ? 'None chosen yet.' : `Currently ${labelChannel(current)}`}
      onClose={onClose}
    >
      <FormProblem problem={problem} fields={[pointer]} />
      <ChannelPicker onChoose={onChoose} error={problem?.errorOf(pointer)} />
      <DialogActions>
        {pending && (
          <span role="status" className="mr-auto inline-flex items-center gap-2 text-muted">
            <RefreshCw aria-hidden size={14} className="animate-spin" /> Asking {name} …
          </span>
        )}
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </Dialog>
  )
}
