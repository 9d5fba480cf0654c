import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '../../../api/routes.ts'
import { useWrite } from '../../../api/use-api.ts'
import { Button } from '../../../components/button.tsx'
import { Panel } from '../../../components/panel.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { showToast } from '../../../components/toasts.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { usePanel } from '../use-panel.ts'
import { ChannelDialog } from './channel-dialog.tsx'
import { ChannelState } from './channel-state.tsx'

type Chat = AnswerOf<'GET /organizations/{org_id}/integrations/chat'>

/** Shows the default channel, for messages without a route, and its state. */
export function ChatSettings({ status }: { readonly status: Chat }) {
  const { params, can, slug } = useOrganization()
  const update = useWrite('PATCH /organizations/{org_id}/integrations/chat')
  const { panel, open, close } = usePanel()
  const { defaultChannelId, defaultChannelName: name, defaultChannelHealth } = status
  return (
    <Panel
      title="Default channel"
      actions={
        <Link to="/$org/notifications" params={{ org: slug }}>
          Other channels for some deployments
        </Link>
      }
    >
      <div className="flex max-w-2xl flex-col gap-3">
        <ChannelState name={name} health={defaultChannelHealth} />
        <div className="flex flex-wrap gap-2">
          {can('admin') && (
            <Button onClick={() => open({ panel: 'channel' })}>Choose a channel</Button>
          )}
          {defaultChannelId !== null && can('developer') && <TestButton channel={name ?? ''} />}
        </div>
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
            update.mutate(
              { params, body: { defaultChannelId: channel.id, defaultChannelName: channel.name } },
              { onSuccess: close },
            )
          }
        />
      )}
    </Panel>
  )
}

function TestButton({ channel }: { readonly channel: string }) {
  const { params } = useOrganization()
  const test = useWrite('POST /organizations/{org_id}/integrations/chat/test')
  const send = () =>
    test.mutate({ params }, { onSuccess: () => showToast({ text: `Sent to #${channel}.` }) })
  return (
    <>
      <Button pending={test.isPending} onClick={send}>
        Send a test
      </Button>
      <FormProblem problem={test.error} />
    </>
  )
}
