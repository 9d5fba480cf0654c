import { Link } from '@tanstack/react-router'
import { testRunLooks } from '../deployments/states.ts'
import { useOrganization } from '../shell/organization.ts'
import type { Tone } from '../parts/badge.tsx'

/** One run in a strip. */
export interface StripRun {
  readonly runId: string
  readonly deploymentId: string | null
  readonly state: keyof typeof testRunLooks
  /** What is said of it when it is pointed at or read. */
  readonly label: string
}

interface RunStripProps {
  readonly label: string
  /** The oldest first. */
  readonly runs: readonly StripRun[]
  /** The run that the page is about. */
  readonly current: string | undefined
}

const tones: Readonly<Record<Tone, string>> = {
  ok: 'bg-ok-ground text-ok',
  bad: 'bg-bad-ground text-bad',
  warn: 'bg-warn-ground text-warn',
  info: 'bg-info-ground text-info',
  neutral: 'bg-raised text-muted',
}

/** A block for each run, with a picture of its result besides the color. Each leads to the deployment that it tested. */
export function RunStrip({ label, runs, current }: RunStripProps) {
  const { slug } = useOrganization()
  return (
    <ol aria-label={label} className="flex flex-wrap gap-1">
      {runs.map(({ runId, deploymentId, state, label: told }) => {
        const { icon: Icon, tone } = testRunLooks[state]
        const look = `inline-flex size-7 items-center justify-center rounded forced-colors:border ${tones[tone]} ${runId === current ? 'outline-2 outline-accent' : ''}`
        const shown = <Icon role="img" aria-label={told} size={14} />
        return (
          <li key={runId} title={told}>
            {deploymentId === null ? (
              <span className={look}>{shown}</span>
            ) : (
              <Link
                to="/$org/deployments/$deploymentId"
                params={{ org: slug, deploymentId }}
                className={look}
              >
                {shown}
              </Link>
            )}
          </li>
        )
      })}
    </ol>
  )
}
