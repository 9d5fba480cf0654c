import {
  CircleDot,
  CircleSlash,
  FlaskConical,
  Hourglass,
  GitCommitVertical,
  MessageSquare,
  Rocket,
  SlidersHorizontal,
  Ticket,
  type LucideIcon,
} from 'lucide-react'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { LongText } from '../../../components/long-text.tsx'
import { OutsideLink } from '../../../components/outside-link.tsx'
import { Panel } from '../../../components/panel.tsx'
import { toClock, toExactTime } from '../../../components/time.tsx'
import type { Step } from './detail.ts'
import { keySteps } from './key-steps.ts'
import { StepActions, type StepHandlers } from './step-actions.tsx'
import { toOffset } from './to-offset.ts'

interface TimelineProps extends StepHandlers {
  readonly steps: readonly Step[]
}

/** Shows the steps, oldest first. A failed or skipped step shows its reason, and the buttons that repair it. */
export function Timeline({ steps, ...handlers }: TimelineProps) {
  const start = steps[0]?.at
  return (
    <Panel title="Timeline">
      <ol className="flex flex-col">
        {keySteps(steps).map(({ key, step }, index) => (
          <StepRow
            key={key}
            step={step}
            start={start ?? step.at}
            isFirst={index === 0}
            isLast={index === steps.length - 1}
            handlers={handlers}
          />
        ))}
      </ol>
    </Panel>
  )
}

const icons: Readonly<Record<Step['kind'], LucideIcon>> = {
  created: Rocket,
  status: CircleDot,
  commits: GitCommitVertical,
  issues: Ticket,
  test_run: FlaskConical,
  gate: Hourglass,
  message: MessageSquare,
  config_version: SlidersHorizontal,
  skipped: CircleSlash,
}

/** Maps the state of a step to the word beside it and the color of its icon. */
const variants: Readonly<
  Record<Step['state'], { readonly word?: string; readonly tone?: Tone; readonly color: string }>
> = {
  done: { color: 'text-ok' },
  running: { word: 'Running', tone: 'info', color: 'text-info' },
  waiting: { word: 'Waiting', tone: 'neutral', color: 'text-muted' },
  failed: { word: 'Failed', tone: 'bad', color: 'text-bad' },
  skipped: { word: 'Skipped', tone: 'warn', color: 'text-warn' },
}

interface StepRowProps {
  readonly step: Step
  readonly start: string
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly handlers: StepHandlers
}

function StepRow({ step, start, isFirst, isLast, handlers }: StepRowProps) {
  const { at, kind, state, title, detail, url, nextStep, actions } = step
  const { word, tone = 'neutral', color } = variants[state]
  const Icon = icons[kind]
  return (
    <li className="flex gap-3">
      <div className="flex flex-col items-center">
        <Icon aria-hidden size={17} className={`mt-0.5 shrink-0 ${color}`} />
        {!isLast && <span aria-hidden className="my-1 w-px flex-1 bg-line" />}
      </div>
      <div className={`min-w-0 flex-1 ${isLast ? '' : 'pb-4'}`}>
        <div className="flex items-baseline justify-between gap-x-3">
          <p className="min-w-0 font-medium break-words">
            <OutsideLink href={url}>
              <bdi>{title}</bdi>
            </OutsideLink>{' '}
            {word !== undefined && <Badge tone={tone}>{word}</Badge>}
          </p>
          <time
            dateTime={at}
            title={toExactTime(at)}
            className="text-sm whitespace-nowrap text-muted max-sm:whitespace-normal max-sm:text-right"
          >
            {isFirst ? toClock(new Date(at)) : toOffset(at, start)}
          </time>
        </div>
        {detail !== null && (
          <div className={`text-sm break-words ${state === 'failed' ? 'text-bad' : 'text-muted'}`}>
            <LongText text={detail} />
          </div>
        )}
        {nextStep !== null && (
          <p className="text-sm break-words">
            <LongText text={nextStep} />
          </p>
        )}
        <StepActions actions={actions} {...handlers} />
      </div>
    </li>
  )
}
