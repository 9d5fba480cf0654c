import { labelChannel } from '@signalbox/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useList, useWrite } from '../../api/use-api.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { Cell, Row } from '../../components/table.tsx'
import { useOrganization } from '../../session/organization.ts'
import { ChannelHealth } from '../integrations/chat/channel-health.tsx'
import { describeRoute } from './route-form.ts'
import type { NotificationRoute } from './notification-route.ts'

interface RouteRowProps {
  readonly route: NotificationRoute
  /** Says whether the chat accepts messages. If it does not, another channel changes nothing. */
  readonly isChatUsable: boolean
  readonly onEdit: () => void
}

export function RouteRow({ route, isChatUsable, onEdit }: RouteRowProps) {
  const { params, can, slug } = useOrganization()
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments', {
    params,
  })
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
            onConfirm={() => remove.mutate({ params: { ...params, route_id: id } })}
          >
            This route no longer sends messages to {labelChannel(channelName)}. Its earlier messages
            stay there.
          </ConfirmDialog>
        )}
      </Cell>
    </Row>
  )
}
