import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { SecretDialog } from '../../components/secret-once.tsx'
import { useOrganization } from '../../session/organization.ts'
import { readRole, RoleField } from './role-field.tsx'

type Invited = AnswerOf<'POST /organizations/{org_id}/invitations'>

/** Creates an invitation link for one address. The person sends it, because the service sends no mail. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { params, name, role } = useOrganization()
  const invite = useWrite('POST /organizations/{org_id}/invitations')
  const [invited, setInvited] = useState<Invited>()
  const { error } = invite

  if (invited !== undefined) {
    return (
      <SecretDialog
        heading={`Invitation for ${invited.email}`}
        title="Invitation link"
        help="Shown only once. Send it to them yourself: it works once, within seven days, for this address only. An earlier link for the address no longer works."
        secret={invited.url}
        done="Done"
        onClose={onClose}
      />
    )
  }
  const submit = (form: HTMLFormElement) => {
    const field = fieldsOf(form)
    const body = { email: field('email'), role: readRole(field('role')) }
    invite.mutate({ params, body }, { onSuccess: setInvited })
  }
  return (
    <FormDialog
      title={`Invite to ${name}`}
      onClose={onClose}
      write={invite}
      fields={['/email', '/role']}
      submitLabel="Create link"
      noValidate
      onSubmit={submit}
    >
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="off"
        autoFocus
        error={error?.errorOf('/email')}
      />
      <RoleField
        defaultRole="developer"
        mayMakeOwners={role === 'owner'}
        error={error?.errorOf('/role')}
      />
    </FormDialog>
  )
}
