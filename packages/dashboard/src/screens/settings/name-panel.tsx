import type { FormEvent } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Panel } from '../../components/panel.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { FormProblem } from '../../components/states.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'

/** Changes the name of the organization, and its slug in every address. */
export function NamePanel() {
  const { name, slug, id, params, can } = useOrganization()
  const update = useWrite('PATCH /organizations/{org_id}')
  const { error } = update
  const mayChange = can('admin')

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    update.mutate(
      { params, body: { name: field('name'), slug: field('slug') } },
      // With another slug, the page continues at its new address, for everybody.
      { onSuccess: () => showToast({ text: 'Saved.' }) },
    )
  }
  return (
    <Panel title="Organization">
      <form className="flex max-w-md flex-col gap-4" noValidate onSubmit={submit}>
        <FormProblem problem={error} fields={['/name', '/slug']} />
        <TextField
          label="Name"
          name="name"
          defaultValue={name}
          disabled={!mayChange}
          error={error?.errorOf('/name')}
        />
        <TextField
          label="Slug"
          name="slug"
          defaultValue={slug}
          disabled={!mayChange}
          help={`Part of every URL of the organization. A change does not affect programs that use the ID ${id}.`}
          error={error?.errorOf('/slug')}
        />
        {mayChange && (
          <div>
            <Button type="submit" variant="primary" pending={update.isPending}>
              Save
            </Button>
          </div>
        )}
      </form>
    </Panel>
  )
}
