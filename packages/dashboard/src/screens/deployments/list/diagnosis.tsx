import { CircleCheck, CircleDashed, CircleX, Rocket, type LucideIcon } from 'lucide-react'
import type { AnswerOf } from '../../../api/routes.ts'
import { useRead } from '../../../api/use-api.ts'
import { SyncButton } from '../sync/sync-button.tsx'
import type { SyncControl } from '../sync/use-sync.ts'
import { buttonClass } from '../../../components/button.tsx'
import { PathLink } from '../../../session/path-link.tsx'
import { Loaded, Skeleton } from '../../../components/states.tsx'
import { useOrganization } from '../../../session/organization.ts'

type Check = AnswerOf<'GET /organizations/{org_id}/deployments/diagnosis'>['checks'][number]

/** Explains why there are no deployments: the server's checks, and the action that repairs the first failed one. */
export function Diagnosis({ sync }: { readonly sync: SyncControl }) {
  const { params } = useOrganization()
  const diagnosis = useRead('GET /organizations/{org_id}/deployments/diagnosis', { params })
  return (
    <section
      aria-labelledby="why-empty"
      className="mx-auto flex w-full max-w-2xl flex-col gap-4 py-8"
    >
      <header className="flex flex-col items-center gap-2 text-center">
        <Rocket aria-hidden size={28} className="text-muted" />
        <h2 id="why-empty" className="text-lg font-semibold">
          No deployments yet
        </h2>
        <p className="text-muted">
          Each deployment will show its commits, issues, tests and message here. Checks:
        </p>
      </header>
      <Loaded query={diagnosis} skeleton={<Skeleton lines={5} />}>
        {({ checks }) => <Checks checks={checks} sync={sync} />}
      </Loaded>
    </section>
  )
}

function Checks({
  checks,
  sync,
}: {
  readonly checks: readonly Check[]
  readonly sync: SyncControl
}) {
  const first = checks.find(({ state }) => state === 'problem')
  return (
    <>
      <ol className="divide-y divide-line rounded-lg border border-line bg-panel">
        {checks.map((check) => (
          <CheckRow key={check.code} check={check} isFirst={check === first} />
        ))}
      </ol>
      {first === undefined && (
        <div className="flex flex-col items-center gap-3 text-center">
          <p className="text-muted">
            All checks passed. The next deployment appears here automatically. A sync fetches
            earlier ones.
          </p>
          <SyncButton control={sync} />
        </div>
      )}
    </>
  )
}

const variants: Readonly<
  Record<
    Check['state'],
    { readonly icon: LucideIcon; readonly word: string; readonly color: string }
  >
> = {
  ok: { icon: CircleCheck, word: 'Passed', color: 'text-ok' },
  problem: { icon: CircleX, word: 'Problem', color: 'text-bad' },
  unknown: { icon: CircleDashed, word: 'Not checked yet', color: 'text-muted' },
}

function CheckRow({ check, isFirst }: { readonly check: Check; readonly isFirst: boolean }) {
  const { icon: Icon, word, color } = variants[check.state]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <Icon aria-label={word} role="img" size={16} className={color} />
      <div className="min-w-48 flex-1">
        <p className={check.state === 'problem' ? 'font-medium' : ''}>{check.title}</p>
        {/* The picture says it of all that come after what is to be fixed first. */}
        {check.state !== 'unknown' && (
          <p className="text-sm break-words text-muted">{check.detail}</p>
        )}
      </div>
      {check.next !== null && (
        <PathLink path={check.next.href} className={buttonClass(isFirst ? 'primary' : 'plain')}>
          {check.next.label}
        </PathLink>
      )}
    </li>
  )
}
