import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Bell, Plus } from 'lucide-react'
import { useList, useRead } from '../../api/use-api.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { RouteDialog } from './route-dialog.tsx'
import { RouteRow } from './route-row.tsx'

/** Which deployments are told of where. */
export function NotificationsScreen() {
  const { params, can, slug } = useOrganization()
  const chat = useRead('GET /organizations/{org_id}/integrations/chat', { params })
  const routes = useList('GET /organizations/{org_id}/notification-routes', { params })
  const { route: open } = useSearch({ from: '/$org/notifications' })
  const navigate = useNavigate({ from: '/$org/notifications' })
  const setOpen = (route?: string) =>
    void navigate({ search: route === undefined ? {} : { route }, replace: true })
  const chosen = routes.data?.find(({ id }) => id === open)
  const isConnected = chat.data !== undefined && chat.data.account !== null
  const add = can('developer') && isConnected && (
    <Button look="primary" icon={Plus} onClick={() => setOpen('new')}>
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
                {() => (
                  <EmptyState
                    icon={Bell}
                    title={isConnected ? 'No routes yet' : 'Slack is not connected'}
                    action={
                      isConnected ? (
                        add
                      ) : (
                        <Link
                          to="/$org/integrations"
                          params={{ org: slug }}
                          className={buttonLook('primary')}
                        >
                          Connect Slack
                        </Link>
                      )
                    }
                  >
                    {isConnected
                      ? 'Everything goes to the default channel. A route sends some environments, branches or failures to another one.'
                      : 'With it, each deployment gets one message, with its issues and test results.'}
                  </EmptyState>
                )}
              </Loaded>
            ) : (
              <Table
                columns={[
                  'Name',
                  'Channel',
                  'Sends',
                  'State',
                  { title: 'Actions', kind: 'actions' },
                ]}
              >
                {items.map((route) => (
                  <RouteRow key={route.id} route={route} onEdit={() => setOpen(route.id)} />
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

/** Where messages go that no route is for. */
function DefaultChannel() {
  const { params, slug } = useOrganization()
  const { data: chat } = useRead('GET /organizations/{org_id}/integrations/chat', { params })
  if (chat === undefined || chat.account === null) return null
  return (
    <p className="text-muted">
      What no route matches goes to{' '}
      <Link to="/$org/integrations/$kind" params={{ org: slug, kind: 'chat' }}>
        {chat.defaultChannelName === null ? 'no channel' : `#${chat.defaultChannelName}`}
      </Link>
      .
    </p>
  )
}
