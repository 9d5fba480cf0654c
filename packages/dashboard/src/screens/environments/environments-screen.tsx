import { useNavigate, useSearch } from '@tanstack/react-router'
import { Layers, Plus } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { everywhere, useOrganization, wholeEnvironment } from '../../session/organization.ts'
import { useProviderName } from '../../session/use-provider-name.ts'
import { useWrite } from '../../api/use-api.ts'
import { showToast } from '../../components/toasts.tsx'
import { useEnvironments, type Environment } from '../configs/environments.ts'
import { DeleteDialog, type DeleteChoice } from '../configs/delete-dialog.tsx'
import { EnvironmentCard } from './environment-card.tsx'
import { EnvironmentDialog } from './environment-dialog.tsx'
import { FreezeDialog } from './freeze-dialog.tsx'
import { Previews } from './previews.tsx'
import type { EnvironmentsSearch } from './search.ts'

/** Shows the environments: their parents, their protection, and their missing values. */
export function EnvironmentsScreen() {
  const { may } = useOrganization()
  const search = useSearch({ from: '/$org/environments' })
  const navigate = useNavigate({ from: '/$org/environments' })
  const open = (next: EnvironmentsSearch) => void navigate({ search: next, replace: true })
  const environments = useEnvironments()

  return (
    <Page
      title="Environments"
      actions={
        may('manageEnvironments', everywhere) && (
          <Button variant="primary" icon={Plus} onClick={() => open({ panel: 'create' })}>
            Create environment
          </Button>
        )
      }
    >
      <Loaded query={environments}>
        {(all) => (
          <>
            {all.length === 0 && <NoEnvironments onCreate={() => open({ panel: 'create' })} />}
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(22rem,100%),1fr))] gap-4">
              {all.map((environment) => (
                <EnvironmentCard
                  key={environment.id}
                  environment={environment}
                  isNamed={search.panel === undefined && environment.id === search.environment}
                  parent={all.find(({ id }) => id === environment.parentId)}
                  onEdit={() => open({ panel: 'edit', environment: environment.id })}
                  onFreeze={() => open({ panel: 'freeze', environment: environment.id })}
                  onDelete={() => open({ panel: 'delete', environment: environment.id })}
                />
              ))}
            </ul>
            <Previews />
            <EnvironmentPanel environments={all} search={search} onClose={() => open({})} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function NoEnvironments({ onCreate }: { readonly onCreate: () => void }) {
  const { may } = useOrganization()
  const host = useProviderName('codehost')
  return (
    <EmptyState
      icon={Layers}
      title="No environments yet"
      action={
        may('manageEnvironments', everywhere) && (
          <Button onClick={onCreate}>Create the first environment</Button>
        )
      }
    >
      An environment is a place in which your software runs, such as production. Each has its own
      values. Environments of {host} appear here after the first deployment to them.
      <p className="mt-2">
        <DocsLink page="configuration#environments">What environments are</DocsLink>
      </p>
    </EmptyState>
  )
}

interface EnvironmentPanelProps {
  readonly environments: readonly Environment[]
  readonly search: EnvironmentsSearch
  readonly onClose: () => void
}

/** Shows the dialog that the address names. */
function EnvironmentPanel({ environments, search, onClose }: EnvironmentPanelProps) {
  const { can, may } = useOrganization()
  const { panel } = search
  const chosen = environments.find(({ id }) => id === search.environment)
  if (panel === 'create' && may('manageEnvironments', everywhere)) {
    return <EnvironmentDialog environments={environments} onClose={onClose} />
  }
  if (chosen === undefined) return null
  if (panel === 'edit' && may('manageEnvironments', wholeEnvironment(chosen.id))) {
    return <EnvironmentDialog environment={chosen} environments={environments} onClose={onClose} />
  }
  if (panel === 'freeze' && can('admin')) {
    return <FreezeDialog environment={chosen} onClose={onClose} />
  }
  if (panel !== 'delete' || !may('deleteConfig', everywhere)) return null
  const children = environments.filter(({ parentId }) => parentId === chosen.id)
  return (
    <DeleteEnvironment
      environment={chosen}
      descendants={children.map(({ name }) => name)}
      onClose={onClose}
    />
  )
}

interface DeleteEnvironmentProps {
  readonly environment: Environment
  /** Names the environments that inherit from it, which prevent the deletion. */
  readonly descendants: readonly string[]
  readonly onClose: () => void
}

/** Deletes an environment after its name was typed. */
function DeleteEnvironment({ environment, descendants, onClose }: DeleteEnvironmentProps) {
  const { id, name, protection, revision } = environment
  const remove = useWrite('DELETE /organizations/{org_id}/environments/{environment_id}')
  const onDelete = ({ force, comment }: DeleteChoice) =>
    remove.mutate({
      params: { environment_id: id },
      query: {
        ...(force && { force: 'true' as const }),
        ...(protection.confirm && { confirm: name }),
        ...(protection.comment && { comment: comment.trim() }),
      },
      ifMatch: revision,
      onSuccess: () => {
        showToast({ text: `${name} was deleted.` })
        onClose()
      },
    })
  return (
    <DeleteDialog
      name={name}
      noun="environment"
      write={remove}
      valuesHelp="It has values. Delete them together with the environment."
      needsComment={protection.comment}
      isBlocked={descendants.length > 0}
      onDelete={onDelete}
      onClose={onClose}
    >
      <p>
        This permanently deletes its values and their history. Applications that read it get an
        error. Deployments stay.
      </p>
      {descendants.length > 0 && (
        <p className="rounded-md bg-warn-ground px-3 py-2 break-words text-warn">
          Give {descendants.join(', ')} another parent first: values that are not set there come
          from here.
        </p>
      )}
    </DeleteDialog>
  )
}
