import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AnswerOf } from '../../../api/routes.ts'
import { useWrite } from '../../../api/use-api.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/code.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { FormProblem } from '../../../parts/states.tsx'
import { showToast } from '../../../parts/toasts.tsx'
import { useOrganization } from '../../../shell/organization.ts'
import { ChannelDialog } from './channel-dialog.tsx'

type Chat = AnswerOf<'GET /organizations/{org_id}/integrations/chat'>

/** Where messages go that no route sends elsewhere, and whether they get there. */
export function ChatSettings({ status }: { readonly status: Chat }) {
  const { params, can, slug } = useOrganization()
  const update = useWrite('PATCH /organizations/{org_id}/integrations/chat')
  const test = useWrite('POST /organizations/{org_id}/integrations/chat/test')
  const [isChoosing, setChoosing] = useState(false)
  const { defaultChannelId, defaultChannelName, defaultChannelHealth: health } = status
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
        <FormProblem problem={test.error} />
        {defaultChannelId === null ? (
          <p>No channel is chosen yet: nothing is sent.</p>
        ) : (
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium break-all">#{defaultChannelName}</span>
            {health?.state === 'ok' && <Badge tone="ok">messages arrive</Badge>}
            {health?.state === 'broken' && <Badge tone="bad">messages do not arrive</Badge>}
          </p>
        )}
        {health?.state === 'broken' && (
          <div role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
            <p>{health.reason}</p>
            <p className="flex items-center gap-1 font-medium">
              {health.nextStep}
              {health.nextStep?.includes('/invite') === true && (
                <CopyButton text="/invite @Signalbox" label="Copy the command" />
              )}
            </p>
          </div>
        )}
        <div className="flex flex-wrap gap-2">
          {can('admin') && <Button onClick={() => setChoosing(true)}>Choose a channel</Button>}
          {defaultChannelId !== null && can('developer') && (
            <Button
              pending={test.isPending}
              onClick={() =>
                test.mutate(
                  { params },
                  { onSuccess: () => showToast({ text: `Sent to #${defaultChannelName ?? ''}.` }) },
                )
              }
            >
              Send a test
            </Button>
          )}
        </div>
      </div>
      {isChoosing && (
        <ChannelDialog
          title="Default channel"
          current={defaultChannelName}
          pending={update.isPending}
          problem={update.error}
          onClose={() => setChoosing(false)}
          onChoose={({ id, name }) =>
            update.mutate(
              { params, body: { defaultChannelId: id, defaultChannelName: name } },
              { onSuccess: () => setChoosing(false) },
            )
          }
        />
      )}
    </Panel>
  )
}
