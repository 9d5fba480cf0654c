import { labelChannel } from '@signalbox/contract'
import { Link } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import type { AnswerOf } from '../../../api/routes.ts'
import { useWrite } from '../../../api/use-api.ts'
import { Button } from '../../../components/button.tsx'
import { Panel } from '../../../components/panel.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { showToast } from '../../../components/toasts.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { explainLack, useLack } from '../../../session/use-capability.ts'
import type { ApiProblem } from '../../../api/problem.ts'
import { Dialog, DialogActions } from '../../../components/dialog.tsx'
import { useProviderName } from '../../../session/use-provider-name.ts'
import { isUsable } from '../integration.ts'
import { usePanel } from '../use-panel.ts'
import { ChannelHealth } from './channel-health.tsx'
import { ChannelPicker } from './channel-picker.tsx'
import type { Channel } from './channel.ts'

type Chat = AnswerOf<'GET /organizations/{org_id}/integrations/chat'>

/** Shows the default channel, for messages without a route, and its state. */
export function ChatSettings({ status }: { readonly status: Chat }) {
  const { can, slug } = useOrganization()
  const update = useWrite('PATCH /organizations/{org_id}/integrations/chat')
  const { panel, open, close } = usePanel()
  const { defaultChannelName: name, defaultChannelHealth } = status
  return (
    <Panel
      title="Default channel"
      actions={
        <Link to="/$org/notifications" params={{ org: slug }}>
          Send some deployments to other channels
        </Link>
      }
    >
      <div className="flex max-w-2xl flex-col gap-3">
        {name === null || defaultChannelHealth === null ? (
          <p>Choose a channel. Until then Signalbox sends no messages.</p>
        ) : (
          <ChannelHealth name={name} health={defaultChannelHealth} />
        )}
        <ChannelButtons status={status} onChoose={() => open({ panel: 'channel' })} />
      </div>
      {panel === 'channel' && can('admin') && (
        <ChannelDialog
          title="Default channel"
          current={name}
          pending={update.isPending}
          problem={update.error}
          onClose={() => {
            update.reset()
            close()
          }}
          onChoose={(channel) =>
            update.mutate({
              body: { defaultChannelId: channel.id, defaultChannelName: channel.name },
              onSuccess: close,
            })
          }
        />
      )}
    </Panel>
  )
}

function ChannelButtons({ status, onChoose }: Readonly<{ status: Chat; onChoose: () => void }>) {
  const { can } = useOrganization()
  const { defaultChannelId, defaultChannelName: name, defaultChannelHealth } = status
  const lack = useLack('chat', 'sendMessages')
  const mayCall = isUsable(status.state)
  const canTest = defaultChannelId !== null && mayCall && lack === undefined && can('developer')
  return (
    <>
      {mayCall && lack !== undefined && <p className="text-muted">{explainLack(lack)}</p>}
      <div className="flex flex-wrap gap-2">
        {can('admin') && mayCall && <Button onClick={onChoose}>Choose a channel</Button>}
        {canTest && (
          <TestButton channel={name ?? ''} isBroken={defaultChannelHealth?.state === 'broken'} />
        )}
      </div>
    </>
  )
}

interface TestButtonProps {
  readonly channel: string
  /** Says whether the state of the channel shows already why a test failed. */
  readonly isBroken: boolean
}

function TestButton({ channel, isBroken }: TestButtonProps) {
  const test = useWrite('POST /organizations/{org_id}/integrations/chat/test')
  const send = () =>
    test.mutate({ onSuccess: () => showToast({ text: `Sent to ${labelChannel(channel)}.` }) })
  return (
    <>
      <Button pending={test.isPending} onClick={send}>
        Send a test
      </Button>
      {!isBroken && <FormProblem problem={test.error} />}
    </>
  )
}

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
function ChannelDialog({
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
