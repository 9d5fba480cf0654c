import { useNavigate, useSearch } from '@tanstack/react-router'
import { Layers, Plus } from 'lucide-react'
import { useEnvironments } from '../../configs/environments.ts'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { DocsLink } from '../../parts/docs-link.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { EnvironmentCard } from './environment-card.tsx'
import { EnvironmentDialog } from './environment-dialog.tsx'
import type { EnvironmentsSearch } from './search.ts'

/** The environments: what they inherit, what protects them, and what they lack. */
export function EnvironmentsScreen() {
  const { can } = useOrganization()
  const search = useSearch({ from: '/$org/environments' })
  const navigate = useNavigate({ from: '/$org/environments' })
  const open = (next: EnvironmentsSearch) => void navigate({ search: next, replace: true })
  const close = () => open({})
  const environments = useEnvironments()

  return (
    <Page
      title="Environments"
      actions={
        can('developer') && (
          <Button look="primary" icon={Plus} onClick={() => open({ panel: 'create' })}>
            Create environment
          </Button>
        )
      }
    >
      <Loaded query={environments}>
        {(all) => {
          const chosen = all.find(({ id }) => id === search.environment)
          return (
            <>
              {all.length === 0 && (
                <EmptyState
                  icon={Layers}
                  title="No environments yet"
                  action={
                    can('developer') && (
                      <Button onClick={() => open({ panel: 'create' })}>
                        Create the first environment
                      </Button>
                    )
                  }
                >
                  An environment is a place that your software runs in, such as production. Each has
                  values of its own. Those of GitHub are known here once something is deployed to
                  them.
                  <p className="mt-2">
                    <DocsLink page="configuration#environments">What environments are</DocsLink>
                  </p>
                </EmptyState>
              )}
              <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(22rem,100%),1fr))] gap-4">
                {all.map((environment) => (
                  <EnvironmentCard
                    key={environment.id}
                    environment={environment}
                    isNamed={search.panel === undefined && environment.id === search.environment}
                    parent={all.find(({ id }) => id === environment.parentId)}
                    onEdit={() => open({ panel: 'edit', environment: environment.id })}
                    onDelete={() => open({ panel: 'delete', environment: environment.id })}
                  />
                ))}
              </ul>
              {search.panel === 'create' && can('developer') && (
                <EnvironmentDialog environments={all} onClose={close} />
              )}
              {search.panel === 'edit' && chosen && can('developer') && (
                <EnvironmentDialog environment={chosen} environments={all} onClose={close} />
              )}
              {search.panel === 'delete' && chosen && can('admin') && (
                <DeleteDialog
                  environment={chosen}
                  heirs={all
                    .filter(({ parentId }) => parentId === chosen.id)
                    .map(({ name }) => name)}
                  onClose={close}
                />
              )}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
