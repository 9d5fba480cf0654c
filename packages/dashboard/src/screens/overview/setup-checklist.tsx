import { CircleCheck, Circle } from 'lucide-react'
import type { AnswerOf } from '../../api/routes.ts'
import { Badge } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { PathLink } from '../../session/path-link.tsx'
import type { setupSteps } from '@signalbox/contract/rest'

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
export function SetupChecklist({ steps }: { readonly steps: readonly Step[] }) {
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
