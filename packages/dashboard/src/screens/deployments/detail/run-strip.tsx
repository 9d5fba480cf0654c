import { Link } from '@tanstack/react-router'
import { testRunVariants } from '../states.ts'
import { useOrganization } from '../../../session/organization.ts'
import type { Tone } from '../../../components/badge.tsx'

export interface StripRun {
  readonly runId: string
  readonly deploymentId: string | null
  readonly state: keyof typeof testRunVariants
  /** Holds the tooltip, which screen readers read too. */
  readonly label: string
}

interface RunStripProps {
  readonly label: string
  /** Lists the runs, oldest first. */
  readonly runs: readonly StripRun[]
  /** Holds the id of the page's run. */
  readonly current: string | undefined
}

const tones: Readonly<Record<Tone, string>> = {
  ok: 'bg-ok-ground text-ok',
  bad: 'bg-bad-ground text-bad',
  warn: 'bg-warn-ground text-warn',
  info: 'bg-info-ground text-info',
  neutral: 'bg-raised text-muted',
}

/** Shows a block for each run, with an icon for its result besides the color. Each block links to the tested deployment. */
export function RunStrip({ label, runs, current }: RunStripProps) {
  const { slug } = useOrganization()
  return (
    <ol aria-label={label} className="flex flex-wrap gap-1">
      {runs.map(({ runId, deploymentId, state, label: description }) => {
        const { icon: Icon, tone } = testRunVariants[state]
        const classes = `inline-flex size-7 items-center justify-center rounded forced-colors:border ${tones[tone]} ${runId === current ? 'outline-2 outline-accent' : ''}`
        const icon = <Icon role="img" aria-label={description} size={14} />
        return (
          <li key={runId} title={description}>
            {deploymentId === null ? (
              <span className={classes}>{icon}</span>
            ) : (
              <Link
                to="/$org/deployments/$deploymentId"
                params={{ org: slug, deploymentId }}
                className={classes}
              >
                {icon}
              </Link>
            )}
          </li>
        )
      })}
    </ol>
  )
}
