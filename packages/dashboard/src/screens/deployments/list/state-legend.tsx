import { deploymentStates } from '@signalbox/contract'
import { DeploymentBadge } from '../badges.tsx'
import { deploymentVariants } from '../states.ts'

/** Explains the states of deployments, for people who ask. */
export function StateLegend() {
  return (
    <details className="text-sm">
      <summary className="text-muted">What the states mean</summary>
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5">
        {deploymentStates.map((state) => (
          <div key={state} className="contents">
            <dt>
              <DeploymentBadge state={state} />
            </dt>
            <dd className="text-muted">{deploymentVariants[state].meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
