import { RefreshCw } from 'lucide-react'
import type { ApiProblem } from '../../../api/problem.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog, DialogActions } from '../../../parts/dialog.tsx'
import { FormProblem } from '../../../parts/states.tsx'
import { ChannelPicker, type Channel } from './channel-picker.tsx'

interface ChannelDialogProps {
  readonly title: string
  readonly current: string | null
  readonly pending: boolean
  readonly problem: ApiProblem | null
  readonly onChoose: (channel: Pick<Channel, 'id' | 'name'>) => void
  readonly onClose: () => void
}

/** What a refusal of the channel points at. */
const place = '/defaultChannelId'

export function ChannelDialog({
  title,
  current,
  pending,
  problem,
  onChoose,
  onClose,
}: ChannelDialogProps) {
  return (
    <Dialog
      title={title}
      description={current === null ? 'None chosen yet.' : `Now: #${current}`}
      onClose={onClose}
    >
      <FormProblem problem={problem} fields={[place]} />
      <ChannelPicker onChoose={onChoose} fault={problem?.faultOf(place)} />
      <DialogActions>
        {pending && (
          <span role="status" className="mr-auto inline-flex items-center gap-2 text-muted">
            <RefreshCw aria-hidden size={14} className="animate-spin" /> Asking Slack …
          </span>
        )}
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </Dialog>
  )
}
