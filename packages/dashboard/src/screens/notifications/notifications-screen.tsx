import { labelChannel } from '@signalbox/contract'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Bell, Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useList, useRead, useWrite } from '../../api/use-api.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { Cell, Row, rowActions, Table } from '../../components/table.tsx'
import { useOrganization } from '../../session/organization.ts'
import { useMissingTitle, useProviderName } from '../../session/use-provider-name.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { ChannelHealth } from '../integrations/chat/channel-health.tsx'
import { RouteDialog } from './route-dialog.tsx'
import { describeRoute } from './route-form.ts'
import type { NotificationRoute } from './notification-route.ts'

type Chat = AnswerOf<'GET /organizations/{org_id}/integrations/chat'>

/** Shows the routes, which announce deployments in channels. */
export function NotificationsScreen() {
  const { can } = useOrganization()
  const chat = useRead('GET /organizations/{org_id}/integrations/chat')
  const routes = useList('GET /organizations/{org_id}/notification-routes')
  const { route: open } = useSearch({ from: '/$org/notifications' })
  const navigate = useNavigate({ from: '/$org/notifications' })
  const setOpen = (route?: string) =>
    void navigate({ search: route === undefined ? {} : { route }, replace: true })
  const chosen = routes.data?.find(({ id }) => id === open)
  const isConnected = chat.data !== undefined && chat.data.account !== null
  const add = can('developer') && isConnected && (
    <Button variant="primary" icon={Plus} onClick={() => setOpen('new')}>
      New route
    </Button>
  )
  return (
    <Page title="Notifications" actions={add}>
      <DefaultChannel />
      <Panel title="Routes" flush>
        <Loaded query={routes}>
          {(items) =>
            items.length === 0 ? (
              <Loaded query={chat}>
                {() => (isConnected ? <NoRoutes action={add} /> : <NoChat />)}
              </Loaded>
            ) : (
              <Table columns={['Name', 'Channel', 'Sends', 'State', rowActions]}>
                {items.map((route) => (
                  <RouteRow
                    key={route.id}
                    route={route}
                    isChatUsable={chat.data !== undefined && acceptsMessages(chat.data.state)}
                    onEdit={() => setOpen(route.id)}
                  />
                ))}
              </Table>
            )
          }
        </Loaded>
        <MoreButton list={routes} />
      </Panel>
      {can('developer') && (open === 'new' || chosen !== undefined) && (
        <RouteDialog route={chosen} onClose={() => setOpen()} />
      )}
    </Page>
  )
}

function NoRoutes({ action }: { readonly action: ReactNode }) {
  return (
    <EmptyState icon={Bell} title="No routes yet" action={action}>
      Everything goes to the default channel. A route sends some environments, repositories,
      branches or failures to another one.
    </EmptyState>
  )
}

function NoChat() {
  const { slug } = useOrganization()
  const name = useProviderName('chat')
  return (
    <EmptyState
      icon={Bell}
      title={useMissingTitle('chat')}
      action={
        <Link
          to="/$org/integrations/$kind"
          params={{ org: slug, kind: 'chat' }}
          className={buttonClass('primary')}
        >
          Connect {name}
        </Link>
      }
    >
      Each deployment gets one message there, with its issues and test results.
    </EmptyState>
  )
}

function acceptsMessages(state: Chat['state']): boolean {
  return state === 'connected' || state === 'degraded' || state === 'renewal_refused'
}

/** Shows the channel of messages without a route. */
function DefaultChannel() {
  const { slug } = useOrganization()
  const { data: chat } = useRead('GET /organizations/{org_id}/integrations/chat')
  if (chat === undefined || chat.account === null) return null
  return (
    <p className="text-muted">
      Messages without a matching route go to{' '}
      <Link to="/$org/integrations/$kind" params={{ org: slug, kind: 'chat' }}>
        {chat.defaultChannelName === null ? 'no channel' : labelChannel(chat.defaultChannelName)}
      </Link>
      .
    </p>
  )
}

interface RouteRowProps {
  readonly route: NotificationRoute
  /** Says whether the chat accepts messages. If it does not, another channel changes nothing. */
  readonly isChatUsable: boolean
  readonly onEdit: () => void
}

function RouteRow({ route, isChatUsable, onEdit }: RouteRowProps) {
  const { can, slug } = useOrganization()
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments')
  const remove = useWrite('DELETE /organizations/{org_id}/notification-routes/{route_id}')
  const [isRemoving, setRemoving] = useState(false)
  const { name, channelName, health, id } = route
  return (
    <Row>
      <Cell className="font-medium break-words">{name}</Cell>
      <Cell className="break-all">{labelChannel(channelName)}</Cell>
      <Cell>{describeRoute(route, environments)}</Cell>
      <Cell>
        <ChannelHealth
          health={health}
          action={
            isChatUsable ? (
              can('developer') && <Button onClick={onEdit}>Choose another channel</Button>
            ) : (
              <Link
                to="/$org/integrations/$kind"
                params={{ org: slug, kind: 'chat' }}
                className={buttonClass()}
              >
                Open the connection
              </Link>
            )
          }
        />
      </Cell>
      <Cell className="text-right">
        <RowMenu
          label={`Actions for ${name}`}
          items={
            can('developer')
              ? [
                  { label: 'Edit', onSelect: onEdit },
                  { label: 'Delete', danger: true, onSelect: () => setRemoving(true) },
                ]
              : []
          }
        />
        {isRemoving && (
          <ConfirmDialog
            title={`Delete ${name}?`}
            action="Delete route"
            write={remove}
            onClose={() => setRemoving(false)}
            onConfirm={() => remove.mutate({ params: { route_id: id } })}
          >
            This route no longer sends messages to {labelChannel(channelName)}. Its earlier messages
            stay there.
          </ConfirmDialog>
        )}
      </Cell>
    </Row>
  )
}
