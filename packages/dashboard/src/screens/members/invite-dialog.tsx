import { useState, type FormEvent } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { fieldsOf } from '../../parts/read-fields.ts'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { FormProblem } from '../../parts/states.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { readRole, RoleField } from './role-field.tsx'

type Invited = AnswerOf<'POST /organizations/{org_id}/invitations'>

/** Makes a link for one address, to be handed over: the service sends no mail. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { params, name, role } = useOrganization()
  const invite = useWrite('POST /organizations/{org_id}/invitations')
  const [invited, setInvited] = useState<Invited>()
  const { error } = invite

  if (invited !== undefined) {
    return (
      <Dialog title={`Invitation for ${invited.email}`} isShownOnce onClose={onClose}>
        <SecretOnce
          title="Invitation link"
          hint="Shown only once. Send it to them yourself: it works once, within seven days, for this address only."
          secret={invited.url}
        />
        <DialogActions>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    const body = { email: field('email'), role: readRole(field('role')) }
    invite.mutate({ params, body }, { onSuccess: setInvited })
  }
  return (
    <Dialog title={`Invite to ${name}`} onClose={onClose}>
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <FormProblem problem={error} fields={['/email', '/role']} />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="off"
          autoFocus
          fault={error?.faultOf('/email')}
        />
        <RoleField
          defaultRole="developer"
          mayMakeOwners={role === 'owner'}
          fault={error?.faultOf('/role')}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={invite.isPending}>
            Create link
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
