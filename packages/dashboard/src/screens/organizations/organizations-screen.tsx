import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Building2, Plus } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { roleNames, useMe } from '../../session/session.ts'
import { useWrite } from '../../api/use-api.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'

/** Shows a person's organizations, and creates one. */
export function OrganizationsScreen() {
  const me = useMe()
  const { new: isCreating = false } = useSearch({ from: '/person/orgs' })
  const navigate = useNavigate({ from: '/orgs' })
  const setCreating = (isOpen: boolean) =>
    void navigate({ search: isOpen ? { new: true } : {}, replace: true })
  const mayCreate = me.data?.mayCreateOrganizations === true
  const create = mayCreate && (
    <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
      New organization
    </Button>
  )
  return (
    <Page title="Organizations" actions={create}>
      <Loaded query={me}>
        {({ organizations }) =>
          organizations.length === 0 ? (
            <EmptyState icon={Building2} title="No organizations yet">
              {mayCreate
                ? 'Create one, or ask an admin to invite you to theirs.'
                : 'Ask an admin to invite you to theirs. Only operators of this server create organizations.'}
            </EmptyState>
          ) : (
            <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2">
              {organizations.map(({ id, name, slug, role }) => (
                <li key={id}>
                  <Link
                    to="/$org"
                    params={{ org: slug }}
                    className="flex items-center justify-between gap-3 rounded-lg border border-line bg-panel p-4 text-text no-underline hover:border-edge hover:no-underline"
                  >
                    <span className="min-w-0">
                      <span className="block truncate font-semibold">{name}</span>
                      <span className="block truncate text-muted">{slug}</span>
                    </span>
                    {role !== null && <Badge>{roleNames[role]}</Badge>}
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {isCreating && mayCreate && <CreateOrganization onClose={() => setCreating(false)} />}
    </Page>
  )
}

function CreateOrganization({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite('POST /organizations')
  const navigate = useNavigate()
  const { error } = create
  const submit = (form: HTMLFormElement) => {
    const name = fieldsOf(form)('name')
    create.mutate({
      body: { name },
      onSuccess: ({ slug }) => void navigate({ to: '/$org', params: { org: slug } }),
    })
  }
  return (
    <FormDialog
      title="New organization"
      description="It has its own members, integrations, environments and keys. Nobody outside it sees them."
      onClose={onClose}
      write={create}
      fields={['/name']}
      submitLabel="Create organization"
      onSubmit={submit}
    >
      <TextField label="Name" name="name" autoFocus error={error?.errorOf('/name')} />
    </FormDialog>
  )
}
