import { Panel } from '../../components/panel.tsx'
import { useSignals } from '../proofs/use-signals.ts'
import type { ChangeRequest } from './describe-request.ts'
import { readSteps } from './read-steps.ts'

/** Lists the steps of a request that asks for a rollout. */
export function StepsPanel({ request }: { readonly request: ChangeRequest }) {
  const { nameOf } = useSignals()
  const steps = readSteps(request, nameOf)
  if (steps === undefined) return null
  return (
    <Panel title="In steps">
      <div className="flex flex-col gap-2">
        <ol aria-label="Steps" className="list-decimal pl-6">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <p className="text-muted">
          The first step begins when the request is applied. What changes for readers is shown for
          the last one. Its approval covers all of them.
        </p>
      </div>
    </Panel>
  )
}
