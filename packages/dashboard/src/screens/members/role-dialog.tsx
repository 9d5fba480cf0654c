import { useWrite } from '../../api/use-api.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { useOrganization } from '../../session/organization.ts'
import { readRole, RoleField } from './role-field.tsx'
import type { Member } from './member.ts'

interface RoleDialogProps {
  readonly member: Member
  readonly onClose: () => void
}

/** Changes the role of a member. */
export function RoleDialog({ member, onClose }: RoleDialogProps) {
  const { params, role } = useOrganization()
  const update = useWrite('PATCH /organizations/{org_id}/members/{user_id}')
  const submit = (form: HTMLFormElement) => {
    const body = { role: readRole(fieldsOf(form)('role')) }
    update.mutate({ params: { ...params, user_id: member.userId }, body }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={`Change the role of ${member.name}`}
      description="It takes effect with their next request. Open pages hide everything that the new role can’t see."
      onClose={onClose}
      write={update}
      fields={['/role']}
      submitLabel="Change role"
      onSubmit={submit}
    >
      <RoleField
        defaultRole={member.role}
        mayMakeOwners={role === 'owner'}
        error={update.error?.errorOf('/role')}
      />
    </FormDialog>
  )
}
