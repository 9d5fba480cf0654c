import { useNavigate, useSearch } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import { useList } from '../../api/use-api.ts'
import { EnvironmentFilter } from '../configs/environment-filter.tsx'
import { useEnvironments, type Environment } from '../configs/environments.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { groupDays, nameDay } from '../../components/group-days.ts'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { PageLink } from '../../session/page-link.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import { ChangeRow } from './change-row.tsx'

const title = 'Timeline'

/** Shows everything that changed an environment, as one list: deployments, their tests, configuration and flags. */
export function TimelineScreen() {
  const environments = useEnvironments()
  return (
    <Loaded query={environments} around={(instead) => <Page title={title}>{instead}</Page>}>
      {(all) => <Timeline environments={all} />}
    </Loaded>
  )
}

function Timeline({ environments }: { readonly environments: readonly Environment[] }) {
  const { params } = useOrganization()
  const { environment } = useSearch({ from: '/$org/timeline' })
  const navigate = useNavigate({ from: '/$org/timeline' })
  const choose = (id: string | undefined) =>
    void navigate({ search: id === undefined ? {} : { environment: id }, replace: true })
  const changes = useList('GET /organizations/{org_id}/changes', {
    params,
    query: { environmentId: environment, limit: 50 },
  })
  const names = new Map(environments.map(({ id, name }) => [id, name]))
  const nameOf = (id: string | null) => names.get(id ?? '') ?? 'no environment'
  const now = new Date()
  return (
    <Page title={title}>
      <div>
        <EnvironmentFilter environments={environments} value={environment} onPick={choose} />
      </div>
      <Loaded query={changes}>
        {(items) =>
          items.length === 0 ? (
            <NoChanges onClear={environment === undefined ? undefined : () => choose(undefined)} />
          ) : (
            <>
              {groupDays(items, ({ at }) => at).map(({ date, items: ofDay }) => (
                <Panel key={date} title={nameDay(date, now)} flush>
                  <ul className="divide-y divide-line">
                    {ofDay.map((change) => (
                      <ChangeRow
                        key={`${change.kind} ${change.id}`}
                        change={change}
                        environment={nameOf(change.environmentId)}
                      />
                    ))}
                  </ul>
                </Panel>
              ))}
              <MoreButton list={changes} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

function NoChanges({ onClear }: { readonly onClear: (() => void) | undefined }) {
  if (onClear !== undefined) {
    return (
      <EmptyState
        icon={Activity}
        title="Nothing changed here"
        action={<Button onClick={onClear}>Show all environments</Button>}
      >
        This environment has had no deployment and no version of its configuration.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={Activity}
      title="Nothing changed yet"
      action={
        <PageLink to={{ page: 'integrations' }} className={buttonClass('plain')}>
          Look at the integrations
        </PageLink>
      }
    >
      Deployments, test runs, configuration and flags appear here as one list, each with who did it,
      why, and the way back.
    </EmptyState>
  )
}
