import { SelectField } from '../../components/field.tsx'
import { roleNames, type Role } from '../../session/session.ts'

const roles: readonly { readonly role: Role; readonly what: string }[] = [
  { role: 'viewer', what: 'sees everything but secrets' },
  { role: 'developer', what: 'changes configuration, runs workflows' },
  { role: 'admin', what: 'also members, keys and integrations' },
  { role: 'owner', what: 'everything, including owners and deleting the organization' },
]

/** Returns the role that a form selects. */
export function readRole(text: string): Role {
  return roles.find(({ role }) => role === text)?.role ?? 'viewer'
}

interface RoleFieldProps {
  readonly defaultRole: Role
  /** Says whether the person may appoint owners: only owners may. */
  readonly mayMakeOwners: boolean
  readonly error?: string | undefined
}

/** Shows a field that chooses a role. */
export function RoleField({ defaultRole, mayMakeOwners, error }: RoleFieldProps) {
  return (
    <SelectField label="Role" name="role" defaultValue={defaultRole} error={error}>
      {roles
        .filter(({ role }) => role !== 'owner' || mayMakeOwners)
        .map(({ role, what }) => (
          <option key={role} value={role}>
            {roleNames[role]}: {what}
          </option>
        ))}
    </SelectField>
  )
}
