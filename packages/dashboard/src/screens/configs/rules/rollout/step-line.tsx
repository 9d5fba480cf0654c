import { PageLink } from '../../../../session/page-link.tsx'
import { proofWords, type Plan } from './describe-plan.ts'

const points = {
  done: { word: 'was live', className: 'border-accent bg-accent' },
  live: {
    word: 'live',
    className: 'border-accent bg-accent outline-2 outline-offset-2 outline-accent',
  },
  ahead: { word: 'to come', className: 'border-edge bg-panel' },
} as const

const proofColors = {
  neutral: 'text-muted',
  ok: 'text-ok',
  bad: 'text-bad',
  warn: 'text-warn',
  info: 'text-info',
} as const

/** Draws the steps of a plan as points of a line, with their percentages, which is live, and how their proofs stand. */
export function StepLine({ plan: { steps, position, schemaId } }: { readonly plan: Plan }) {
  return (
    <ol aria-label="Steps" className="flex flex-wrap gap-y-3">
      {steps.map(({ percent, proof, approve }, index) => {
        const of = index < position ? 'done' : index === position ? 'live' : 'ahead'
        const [word, tone] = proof === null ? [] : proofWords[proof.state]
        return (
          <li
            key={percent}
            aria-current={of === 'live' ? 'step' : undefined}
            className="relative flex min-w-18 flex-1 flex-col items-start gap-1"
          >
            <span
              aria-hidden
              className={`absolute inset-x-0 top-[6px] border-t-2 ${of === 'done' ? 'border-accent' : 'border-line'} ${index + 1 === steps.length ? 'hidden' : ''}`}
            />
            <span
              aria-hidden
              className={`relative size-3.5 rounded-full border-2 ${points[of].className}`}
            />
            <span className={of === 'live' ? 'font-semibold' : ''}>{percent}%</span>
            <span className="pr-2 text-xs text-muted">
              {points[of].word}
              {approve && of === 'ahead' && ', approval'}
            </span>
            {proof !== null && tone !== undefined && (
              <PageLink
                to={{ page: 'history', search: { schema: schemaId, proof: proof.id } }}
                className={`inline-flex min-h-7 items-center text-xs ${proofColors[tone]}`}
              >
                {word}
              </PageLink>
            )}
          </li>
        )
      })}
    </ol>
  )
}
