import type { FormEvent } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { fieldsOf } from '../../parts/read-fields.ts'
import { FormProblem } from '../../parts/states.tsx'
import { useOrganization } from '../../shell/organization.ts'
import type { Member } from './member-row.tsx'
import { readRole, RoleField } from './role-field.tsx'

interface RoleDialogProps {
  readonly member: Member
  readonly onClose: () => void
}

export function RoleDialog({ member, onClose }: RoleDialogProps) {
  const { params, role } = useOrganization()
  const update = useWrite('PATCH /organizations/{org_id}/members/{user_id}')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = { role: readRole(fieldsOf(event.currentTarget)('role')) }
    update.mutate({ params: { ...params, user_id: member.userId }, body }, { onSuccess: onClose })
  }
  return (
    <Dialog
      title={`Change the role of ${member.name}`}
      description="It takes effect with their next request. Open pages lose what the new role may not see."
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <FormProblem problem={update.error} fields={['/role']} />
        <RoleField
          defaultRole={member.role}
          mayMakeOwners={role === 'owner'}
          fault={update.error?.faultOf('/role')}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={update.isPending}>
            Change role
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
