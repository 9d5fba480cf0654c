import { useList, useWrite } from '../../api/use-api.ts'
import { Badge } from '../../parts/badge.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RowMenu } from '../../parts/row-menu.tsx'
import { FormProblem, Loaded } from '../../parts/states.tsx'
import { Cell, Row, Table } from '../../parts/table.tsx'
import { Age } from '../../parts/time.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { roleNames } from '../../shell/session.ts'

/** Links that nobody used yet. Without one there is nothing to show. */
export function InvitationList() {
  const { params } = useOrganization()
  const invitations = useList('GET /organizations/{org_id}/invitations', { params })
  const revoke = useWrite('DELETE /organizations/{org_id}/invitations/{invitation_id}')
  return (
    <Loaded
      query={invitations}
      skeleton={null}
      around={(instead) =>
        instead === null ? null : (
          <Panel title="Invitations" flush>
            {instead}
          </Panel>
        )
      }
    >
      {(items) =>
        items.length > 0 && (
          <Panel title="Invitations" flush>
            <FormProblem problem={revoke.error} />
            <Table
              columns={[
                'E-mail',
                'Role',
                'Invited by',
                'Expires',
                { title: 'Actions', kind: 'actions' },
              ]}
            >
              {items.map(({ id, email, role, state, invitedBy, expiresAt }) => (
                <Row key={id}>
                  <Cell>
                    <div className="min-w-32 wrap-anywhere">{email}</div>
                  </Cell>
                  <Cell>
                    <Badge>{roleNames[role]}</Badge>
                  </Cell>
                  <Cell>
                    <div className="min-w-16 wrap-anywhere">{invitedBy.name}</div>
                  </Cell>
                  <Cell>
                    {state === 'expired' ? (
                      <Badge tone="warn">Expired</Badge>
                    ) : (
                      <Age at={expiresAt} />
                    )}
                  </Cell>
                  <Cell className="text-right">
                    <RowMenu
                      label={`Actions for the invitation to ${email}`}
                      items={[
                        {
                          label: 'Withdraw',
                          danger: true,
                          onSelect: () =>
                            revoke.mutate({ params: { ...params, invitation_id: id } }),
                        },
                      ]}
                    />
                  </Cell>
                </Row>
              ))}
            </Table>
            <MoreButton list={invitations} />
          </Panel>
        )
      }
    </Loaded>
  )
}
