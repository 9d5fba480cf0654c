import { useState } from 'react'
import { useList, useWrite } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { Cell, Row } from '../../components/table.tsx'
import { useOrganization } from '../../session/organization.ts'
import { describeRoute } from './route-form.ts'
import type { NotificationRoute } from './notification-route.ts'

interface RouteRowProps {
  readonly route: NotificationRoute
  readonly onEdit: () => void
}

/** Shows one route. */
export function RouteRow({ route, onEdit }: RouteRowProps) {
  const { params, can } = useOrganization()
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments', {
    params,
  })
  const remove = useWrite('DELETE /organizations/{org_id}/notification-routes/{route_id}')
  const [isRemoving, setRemoving] = useState(false)
  const { name, channelName, health, id } = route
  return (
    <Row>
      <Cell className="font-medium break-words">{name}</Cell>
      <Cell className="break-all">#{channelName}</Cell>
      <Cell>{describeRoute(route, environments)}</Cell>
      <Cell>
        {health.state === 'ok' ? (
          <Badge tone="ok">messages arrive</Badge>
        ) : (
          <>
            <Badge tone="bad">messages do not arrive</Badge>
            <div className="mt-1 text-sm">{health.reason}</div>
            <div className="text-sm font-medium">{health.nextStep}</div>
            {can('developer') && <Button onClick={onEdit}>Choose another channel</Button>}
          </>
        )}
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
            pending={remove.isPending}
            problem={remove.error}
            onClose={() => setRemoving(false)}
            onConfirm={() => remove.mutate({ params: { ...params, route_id: id } })}
          >
            Nothing more is sent to #{channelName} because of it. Messages that are there stay.
          </ConfirmDialog>
        )}
      </Cell>
    </Row>
  )
}
