import { useList, useWrite } from '../../api/use-api.ts'
import { Badge } from '../../parts/badge.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RowMenu } from '../../parts/row-menu.tsx'
import { FormProblem, Loaded } from '../../parts/states.tsx'
import { Age } from '../../parts/time.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { roleNames } from '../../shell/session.ts'

/** Links that nobody used yet. Without one there is nothing to show. */
export function InvitationList() {
  const { params } = useOrganization()
  const invitations = useList('GET /organizations/{org_id}/invitations', { params })
  const revoke = useWrite('DELETE /organizations/{org_id}/invitations/{invitation_id}')
  return (
    <Loaded query={invitations} skeleton={null}>
      {(items) =>
        items.length > 0 && (
          <Panel title="Invitations" flush>
            <FormProblem problem={revoke.error} />
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">Address</th>
                  <th scope="col">Role</th>
                  <th scope="col">Invited by</th>
                  <th scope="col">Ends</th>
                  <th scope="col">
                    <span className="sr-only">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ id, email, role, state, invitedBy, expiresAt }) => (
                  <tr key={id}>
                    <td className="break-all">{email}</td>
                    <td>
                      <Badge>{roleNames[role]}</Badge>
                    </td>
                    <td className="break-words">{invitedBy.name}</td>
                    <td>
                      {state === 'expired' ? (
                        <Badge tone="warn">Expired</Badge>
                      ) : (
                        <Age at={expiresAt} />
                      )}
                    </td>
                    <td className="text-right">
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
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <MoreButton list={invitations} />
          </Panel>
        )
      }
    </Loaded>
  )
}
