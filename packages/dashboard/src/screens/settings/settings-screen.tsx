import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { Page } from '../../components/page.tsx'
import { useOrganization } from '../../session/organization.ts'
import { useMe } from '../../session/session.ts'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Panel } from '../../components/panel.tsx'
import { TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { FormProblem } from '../../components/states.tsx'
import { showToast } from '../../components/toasts.tsx'
import { ServerFailedJobsPanel } from '../failed-jobs/server-failed-jobs-panel.tsx'
import { PoliciesPanel } from './policies-panel.tsx'
import { SingleSignOnPanel } from './single-sign-on-panel.tsx'
import { ServerPanel } from './server-panel.tsx'

/** Shows the settings of the organization, and the state of the server for its operator. */
export function SettingsScreen() {
  const { can } = useOrganization()
  const isOperator = useMe().data?.isOperator === true
  return (
    <Page title="Settings">
      <NamePanel />
      {can('admin') && <PoliciesPanel />}
      {can('admin') && <SingleSignOnPanel />}
      {isOperator && <ServerPanel />}
      {isOperator && <ServerFailedJobsPanel />}
      {can('owner') && <DangerPanel />}
    </Page>
  )
}

/** Exports an organization, and deletes it. */
function DangerPanel() {
  const { name, slug } = useOrganization()
  const remove = useWrite('DELETE /organizations/{org_id}')
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  return (
    <Panel title="Delete the organization">
      <div className="flex max-w-2xl flex-col gap-3">
        <p>
          Access ends immediately for everybody and every key. The server destroys the data seven
          days later. An operator of this server can export a copy first:
        </p>
        <CodeBlock code="npx --no-install signalbox export backup.signalbox" />
        <div>
          <Button variant="danger" onClick={() => setAsking(true)}>
            <span className="min-w-0 wrap-anywhere">Delete {name}</span>
          </Button>
        </div>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          action="Delete the organization"
          typed={slug}
          write={remove}
          onClose={() => setAsking(false)}
          onConfirm={() => remove.mutate({ onSuccess: () => void navigate({ to: '/orgs' }) })}
        >
          Applications lose their configuration, and deployments their records. An operator of this
          server can restore everything within seven days.
        </ConfirmDialog>
      )}
    </Panel>
  )
}

/** Changes the name of the organization, and its slug in every address. */
function NamePanel() {
  const { name, slug, id, can } = useOrganization()
  const update = useWrite('PATCH /organizations/{org_id}')
  const { error } = update
  const mayChange = can('admin')

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    update.mutate({
      body: { name: field('name'), slug: field('slug') },
      onSuccess: () => showToast({ text: 'Saved.' }),
    })
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
