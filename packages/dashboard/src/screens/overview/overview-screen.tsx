import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Layers } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useRead } from '../../api/use-api.ts'
import { buttonClass } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, Loaded, Skeleton } from '../../components/states.tsx'
import { Segments } from '../../components/tabs.tsx'
import { useOrganization } from '../../session/organization.ts'
import { useKeptDays } from '../../session/session.ts'
import { useProviderName } from '../../session/use-provider-name.ts'
import { EnvironmentCard } from './environment-card.tsx'
import { LiveGrid } from './live-grid.tsx'
import { NeedsYou } from './needs-you.tsx'
import { listKeptPeriods, periods } from './search.ts'
import { SetupChecklist } from './setup-checklist.tsx'
import { usePeriod } from './use-period.ts'

const Trends = lazy(async () => ({ default: (await import('./trends.tsx')).Trends }))

/** Shows the environments, the problems, and the trends. */
export function OverviewScreen() {
  const { params } = useOrganization()
  const overview = useRead('GET /organizations/{org_id}/overview', { params })
  return (
    <Page title="Overview" actions={<PeriodChoice />}>
      <Loaded query={overview} skeleton={<Skeleton lines={10} />}>
        {(data) => <Overview data={data} />}
      </Loaded>
    </Page>
  )
}

function PeriodChoice() {
  const search = useSearch({ from: '/$org/' })
  const current = usePeriod()
  const options = listKeptPeriods(useKeptDays()).map((days) => ({
    value: String(days),
    label: `${days} days`,
  }))
  const navigate = useNavigate({ from: '/$org/' })
  const choose = (value: string) => {
    const days = periods.find((one) => String(one) === value)
    void navigate({ search: { ...search, days }, replace: true })
  }
  return <Segments label="Period" options={options} value={String(current)} onChange={choose} />
}

interface OverviewProps {
  readonly data: AnswerOf<'GET /organizations/{org_id}/overview'>
}

function Overview({ data }: OverviewProps) {
  const { environments, repositories, needsYou, setup } = data
  const isSetUp = setup.every(({ done }) => done)
  const hasDeployed = environments.some(({ latest }) => latest !== null)
  return (
    <>
      {/* Until something was deployed, the next step of the set-up is what the page is for. */}
      {!isSetUp && !hasDeployed && <SetupChecklist steps={setup} />}
      {repositories.length > 1 ? (
        <LiveGrid {...data} />
      ) : (
        <Environments environments={environments} />
      )}
      <div className="grid gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4 max-xl:order-2">
          <Suspense fallback={<Skeleton lines={8} />}>
            <Trends />
          </Suspense>
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <NeedsYou items={needsYou} />
          {!isSetUp && hasDeployed && <SetupChecklist steps={setup} />}
        </div>
      </div>
    </>
  )
}

function Environments({ environments }: Pick<OverviewProps['data'], 'environments'>) {
  const { slug, can } = useOrganization()
  const host = useProviderName('codehost')
  if (environments.length === 0) {
    return (
      <EmptyState
        icon={Layers}
        title="No environments yet"
        action={
          can('developer') && (
            <Link
              to="/$org/environments"
              params={{ org: slug }}
              search={{ panel: 'create' }}
              className={buttonClass('plain')}
            >
              Create an environment
            </Link>
          )
        }
      >
        Each environment shows its latest deployment here. Once {host} is connected, its
        environments appear, or you create your own.
      </EmptyState>
    )
  }
  return (
    <section aria-label="Environments">
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(15rem,100%),1fr))] gap-3">
        {environments.map((environment) => (
          <li key={environment.id} className="min-w-0">
            <EnvironmentCard environment={environment} environments={environments} />
          </li>
        ))}
      </ul>
    </section>
  )
}
