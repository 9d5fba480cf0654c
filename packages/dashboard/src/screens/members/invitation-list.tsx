import type { ItemOf } from '../../api/routes.ts'
import { useList, useWrite } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { MadeBy } from '../made-by.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Panel } from '../../components/panel.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { FormProblem, Loaded } from '../../components/states.tsx'
import { Cell, Row, rowActions, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { roleNames } from '../../session/session.ts'

/** Shows the open invitations. Renders nothing without any. */
export function InvitationList() {
  const invitations = useList('GET /organizations/{org_id}/invitations')
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
            <Table columns={['E-mail', 'Role', 'Invited by', 'Expires', rowActions]}>
              {items.map((invitation) => (
                <InvitationRow
                  key={invitation.id}
                  invitation={invitation}
                  onRevoke={() => revoke.mutate({ params: { invitation_id: invitation.id } })}
                />
              ))}
            </Table>
            <MoreButton list={invitations} />
          </Panel>
        )
      }
    </Loaded>
  )
}

interface InvitationRowProps {
  readonly invitation: ItemOf<'GET /organizations/{org_id}/invitations'>
  readonly onRevoke: () => void
}

function InvitationRow({ invitation, onRevoke }: InvitationRowProps) {
  const { email, role, state, invitedBy, invitedWith, expiresAt } = invitation
  return (
    <Row>
      <Cell>
        <div className="min-w-32 wrap-anywhere">{email}</div>
      </Cell>
      <Cell>
        <Badge>{roleNames[role]}</Badge>
      </Cell>
      <Cell>
        <div className="min-w-16 wrap-anywhere">
          <MadeBy by={invitedBy} credential={invitedWith} />
        </div>
      </Cell>
      <Cell>
        {state === 'expired' ? <Badge tone="warn">Expired</Badge> : <Age at={expiresAt} />}
      </Cell>
      <Cell className="text-right">
        <RowMenu
          label={`Actions for the invitation to ${email}`}
          items={[{ label: 'Withdraw', danger: true, onSelect: onRevoke }]}
        />
      </Cell>
    </Row>
  )
}
