import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowRight, Circle, CircleCheck, Layers, TriangleAlert, X } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { setupSteps } from '@signalbox/contract/rest'
import type { AnswerOf } from '../../api/routes.ts'
import { useRead } from '../../api/use-api.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, Loaded, Skeleton } from '../../components/states.tsx'
import { Segments } from '../../components/tabs.tsx'
import { everywhere, useOrganization } from '../../session/organization.ts'
import { useKeptDays } from '../../session/session.ts'
import { useProviderName } from '../../session/use-provider-name.ts'
import { Badge } from '../../components/badge.tsx'
import { Panel } from '../../components/panel.tsx'
import { PathLink } from '../../session/path-link.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Age } from '../../components/time.tsx'
import { EnvironmentCard } from './environment-card.tsx'
import { LiveGrid } from './live-grid.tsx'
import { listKeptPeriods, periods } from './search.ts'
import { usePeriod } from './use-period.ts'

const Trends = lazy(async () => ({ default: (await import('./trends.tsx')).Trends }))

/** Shows the environments, the problems, and the trends. */
export function OverviewScreen() {
  const overview = useRead('GET /organizations/{org_id}/overview')
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
  const { slug, may } = useOrganization()
  const host = useProviderName('codehost')
  if (environments.length === 0) {
    return (
      <EmptyState
        icon={Layers}
        title="No environments yet"
        action={
          may('manageEnvironments', everywhere) && (
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

/** Maps each step of the set-up to its benefit. */
const benefits: Readonly<Record<(typeof setupSteps)[number], string>> = {
  codehost: 'Every deployment appears here automatically, with its commits.',
  tracker: 'Deployments show their issues, with title and status.',
  chat: 'One message for each deployment, kept up to date.',
  schema: 'Typed configuration that catches missing values before you deploy.',
  first_read: 'Your application reads its values from here, live.',
}

type Step = AnswerOf<'GET /organizations/{org_id}/overview'>['setup'][number]

/** Shows the progress of the set-up. The first open step is the next. */
function SetupChecklist({ steps }: { readonly steps: readonly Step[] }) {
  const done = steps.filter((step) => step.done).length
  const next = steps.find((step) => !step.done)
  return (
    <Panel title="Set up" actions={<Badge tone="info">{`${done} of ${steps.length}`}</Badge>}>
      <ol className="flex flex-col gap-1">
        {steps.map((step) => (
          <StepRow key={step.step} step={step} isNext={step === next} />
        ))}
      </ol>
    </Panel>
  )
}

function StepRow({ step, isNext }: { readonly step: Step; readonly isNext: boolean }) {
  const Icon = step.done ? CircleCheck : Circle
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Icon
        aria-label={step.done ? 'Done' : 'To do'}
        role="img"
        size={16}
        className={step.done ? 'text-ok' : 'text-muted'}
      />
      <div className="min-w-40 flex-1 py-1">
        <p className={step.done ? 'text-muted' : 'font-medium'}>{step.title}</p>
        {!step.done && <p className="text-sm text-muted">{benefits[step.step]}</p>}
      </div>
      {!step.done && (
        <PathLink path={step.next.href} className={buttonClass(isNext ? 'primary' : 'quiet')}>
          {step.next.label}
        </PathLink>
      )}
    </li>
  )
}

type Attention = AnswerOf<'GET /organizations/{org_id}/overview'>['needsYou'][number]

/** Limits the first entries, so that the set-up and the environments stay visible. */
const shownAtFirst = 6

/** Shows the problems that wait for a person, worst first, each with a link to its solution. */
function NeedsYou({ items }: { readonly items: readonly Attention[] }) {
  const { all: isOpen = false, ...others } = useSearch({ from: '/$org/' })
  const navigate = useNavigate({ from: '/$org/' })
  const showOrHide = () =>
    void navigate({ search: isOpen ? others : { ...others, all: true }, replace: true })
  const hidden = items.length - shownAtFirst
  return (
    <Panel
      title="Needs attention"
      flush
      actions={items.length > 0 && <Badge tone="warn">{items.length}</Badge>}
    >
      {items.length === 0 ? (
        <p className="flex items-center gap-2 p-4 text-muted">
          <CircleCheck aria-hidden size={16} className="text-ok" />
          Nothing needs your attention.
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {items.slice(0, isOpen ? undefined : shownAtFirst).map((item) => (
            <AttentionRow key={`${item.code} ${item.subjectId} ${item.title}`} item={item} />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <div className="flex justify-center border-t border-line p-2">
          <Button variant="quiet" aria-expanded={isOpen} onClick={showOrHide}>
            {isOpen ? 'Show fewer' : `Show ${hidden} more`}
          </Button>
        </div>
      )}
    </Panel>
  )
}

function AttentionRow({
  item: { severity, title, detail, at, next, around },
}: {
  readonly item: Attention
}) {
  const isError = severity === 'error'
  return (
    <li className="flex flex-col gap-1 px-4 py-2.5">
      <p className="font-medium break-words">
        <bdi>{title}</bdi>
      </p>
      <p className="text-sm break-words text-muted">
        <LongText text={detail} />
        {at !== null && (
          <span className="ml-1.5">
            <Age at={at} />
          </span>
        )}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Badge tone={isError ? 'bad' : 'warn'} icon={isError ? X : TriangleAlert}>
          {isError ? 'Error' : 'Warning'}
        </Badge>
        <span className="flex flex-wrap gap-x-1">
          {around !== null && (
            <PathLink path={around.href} className={buttonClass('quiet')}>
              {around.label}
            </PathLink>
          )}
          <PathLink path={next.href} className={buttonClass('quiet')}>
            {next.label}
            <ArrowRight aria-hidden size={14} />
          </PathLink>
        </span>
      </div>
    </li>
  )
}
