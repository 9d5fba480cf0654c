import type { PageRef } from '@signalbox/contract'
import type { TimelineAction } from '@signalbox/contract/rest'
import { Check, Play, RefreshCw, Send } from 'lucide-react'
import { useRead, useWrite } from '../../../api/use-api.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { PageLink } from '../../../session/page-link.tsx'
import { useProviderLink } from '../../../session/use-provider-name.ts'
import { showRejection } from '../../../components/show-rejection.ts'
import { showToast } from '../../../components/toasts.tsx'
import { explainLack, useLack } from '../../../session/use-capability.ts'
import { useOrganization } from '../../../session/organization.ts'

/** Describes the effects of a step's buttons on the page. */
export interface StepHandlers {
  readonly onSync: () => void
  readonly onRun: (ref: string) => void
}

interface StepActionsProps extends StepHandlers {
  readonly actions: readonly TimelineAction[]
}

/** Shows the buttons that repair a step. A person without the permission sees who has it. */
export function StepActions({ actions, ...handlers }: StepActionsProps) {
  const { can } = useOrganization()
  if (actions.length === 0) return null
  if (!can('developer')) {
    return <p className="text-sm text-muted">A developer or admin can fix this here.</p>
  }
  return (
    <div className="flex flex-wrap gap-2 pt-1.5">
      {actions.map((action) => (
        <StepAction key={JSON.stringify(action)} action={action} {...handlers} />
      ))}
    </div>
  )
}

interface StepActionProps extends StepHandlers {
  readonly action: TimelineAction
}

function StepAction({ action, onSync, onRun }: StepActionProps) {
  switch (action.kind) {
    case 'send_again':
      return <SendAgain notificationId={action.notificationId} />
    case 'settle_message':
      return <SettleMessage notificationId={action.notificationId} />
    case 'choose_channel':
      return (
        <MendLink
          to={
            action.routeId === null
              ? { page: 'integration', params: { kind: 'chat' } }
              : { page: 'notifications', search: { route: action.routeId } }
          }
          label="Choose the channel"
        />
      )
    case 'connect':
      return <OpenProvider kind={action.integration} />
    case 'track_project':
      return <TrackProject projectKey={action.projectKey} />
    case 'choose_workflow':
      return (
        <MendLink
          to={{ page: 'integration', params: { kind: 'codehost' } }}
          label="Choose the workflow"
        />
      )
    case 'run_workflow':
      return <RunTests onRun={() => onRun(action.ref)} />
    case 'sync':
      return (
        <Button icon={RefreshCw} onClick={onSync}>
          Sync now
        </Button>
      )
  }
}

function RunTests({ onRun }: { readonly onRun: () => void }) {
  const lack = useLack('codehost', 'startWorkflows')
  if (lack !== undefined) {
    return (
      <>
        <p className="text-sm text-muted">{explainLack(lack)}</p>
        <OpenProvider kind="codehost" />
      </>
    )
  }
  return (
    <Button icon={Play} onClick={onRun}>
      Run tests
    </Button>
  )
}

function OpenProvider({ kind }: { readonly kind: 'codehost' | 'tracker' | 'chat' }) {
  return <MendLink to={{ page: 'integration', params: { kind } }} label={useProviderLink(kind)} />
}

function MendLink({ to, label }: { readonly to: PageRef; readonly label: string }) {
  return (
    <PageLink to={to} className={buttonClass('plain')}>
      {label}
    </PageLink>
  )
}

function SendAgain({ notificationId }: { readonly notificationId: string }) {
  const again = useWrite('POST /organizations/{org_id}/notifications/{notification_id}/send-again')
  const send = () =>
    again.mutate({
      params: { notification_id: notificationId },
      onSuccess: () => showToast({ text: 'Sending the message again.' }),
      onError: (problem) => showRejection('send the message again', problem),
    })
  return (
    <Button icon={Send} pending={again.isPending} onClick={send}>
      Send again
    </Button>
  )
}

/** Asks a person who has looked: only they know whether the message arrived. */
function SettleMessage({ notificationId }: { readonly notificationId: string }) {
  const settle = useWrite('POST /organizations/{org_id}/notifications/{notification_id}/settle')
  const say = (isThere: boolean) =>
    settle.mutate({
      params: { notification_id: notificationId },
      body: { isThere },
      onSuccess: () =>
        showToast({ text: isThere ? 'Noted: the message is there.' : 'Sending the message.' }),
      onError: (problem) => showRejection('settle the message', problem),
    })
  return (
    <>
      <Button icon={Send} pending={settle.isPending} onClick={() => say(false)}>
        Send it, it is not there
      </Button>
      <Button icon={Check} pending={settle.isPending} onClick={() => say(true)}>
        It is there
      </Button>
    </>
  )
}

/** Adds a project to those whose issues count. */
function TrackProject({ projectKey }: { readonly projectKey: string }) {
  const { can } = useOrganization()
  const tracker = useRead('GET /organizations/{org_id}/integrations/tracker')
  const update = useWrite('PATCH /organizations/{org_id}/integrations/tracker')
  const tracked = tracker.data?.projectKeys ?? []
  if (!can('admin')) {
    return (
      <Button disabled title="Ask an admin to choose the projects.">
        Track {projectKey}
      </Button>
    )
  }
  const track = () =>
    update.mutate({
      body: { projectKeys: [...new Set([...tracked, projectKey])] },
      onSuccess: () =>
        showToast({
          text: `Signalbox now tracks issues of ${projectKey}.`,
          action: {
            label: 'Undo',
            onSelect: () =>
              update.mutate({
                body: { projectKeys: [...tracked] },
                onError: (problem) => showRejection('undo it', problem),
              }),
          },
        }),
      onError: (problem) => showRejection(`track ${projectKey}`, problem),
    })
  return (
    <Button pending={update.isPending} disabled={tracker.data === undefined} onClick={track}>
      Track {projectKey}
    </Button>
  )
}
