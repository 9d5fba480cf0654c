import { useState } from 'react'
import { useWrite } from '../../../../api/use-api.ts'
import { Button } from '../../../../components/button.tsx'
import { ConfirmDialog } from '../../../../components/confirm-dialog.tsx'
import { showRejection } from '../../../../components/show-rejection.ts'
import type { Plan } from './describe-plan.ts'

const routes = {
  pause: 'POST /organizations/{org_id}/rollout-plans/{plan_id}/pause',
  resume: 'POST /organizations/{org_id}/rollout-plans/{plan_id}/resume',
  next: 'POST /organizations/{org_id}/rollout-plans/{plan_id}/next',
  back: 'POST /organizations/{org_id}/rollout-plans/{plan_id}/back',
  stop: 'POST /organizations/{org_id}/rollout-plans/{plan_id}/stop',
  restore: 'POST /organizations/{org_id}/rollout-plans/{plan_id}/restore',
} as const

type Pressed = keyof typeof routes

const names: readonly (readonly [Pressed, string])[] = [
  ['pause', 'Pause'],
  ['resume', 'Resume'],
  ['next', 'Next'],
  ['back', 'Back'],
  ['stop', 'Stop'],
  ['restore', 'Restore'],
]

interface PlanButtonsProps {
  readonly plan: Plan
}

/** Renders what the person may do with a plan. Only a pause changes nothing for the users of the flag and ends nothing, so the others ask first. */
export function PlanButtons({ plan }: PlanButtonsProps) {
  const [pressed, setPressed] = useState<PressDialogProps['button']>()
  const pause = useWrite(routes.pause)
  const press = (button: Pressed) => {
    if (button !== 'pause') {
      setPressed(button)
      return
    }
    pause.mutate({
      params: { plan_id: plan.id },
      onError: (problem) => showRejection('pause it', problem),
    })
  }
  const isApproval = plan.state === 'waiting'
  return (
    <div className="flex flex-wrap gap-2">
      {names
        .filter(([button]) => plan.may[button])
        .map(([button, name]) => (
          <Button
            key={button}
            pending={button === 'pause' && pause.isPending}
            onClick={() => press(button)}
          >
            {button === 'next' && isApproval ? 'Approve' : name}
          </Button>
        ))}
      {pressed !== undefined && plan.may[pressed] && (
        <PressDialog plan={plan} button={pressed} onClose={() => setPressed(undefined)} />
      )}
    </div>
  )
}

interface PressDialogProps extends PlanButtonsProps {
  readonly button: Exclude<Pressed, 'pause'>
  readonly onClose: () => void
}

/** Says what a button does for the users of the flag, and does it. */
function PressDialog({ plan, button, onClose }: PressDialogProps) {
  const press = useWrite(routes[button])
  const { title, action, text } = toQuestion(plan, button)
  return (
    <ConfirmDialog
      title={title}
      action={action}
      write={press}
      onConfirm={() => press.mutate({ params: { plan_id: plan.id }, onSuccess: onClose })}
      onClose={onClose}
    >
      {text}
    </ConfirmDialog>
  )
}

function toQuestion(
  { steps, position, startPercent, environment, state }: Plan,
  button: PressDialogProps['button'],
) {
  const shareAt = (at: number) => `${steps[at]?.percent ?? 0}%`
  const serves = (at: number) => `${environment} serves ${shareAt(at)}`
  switch (button) {
    case 'resume':
      return {
        title: 'Resume the rollout?',
        action: 'Resume',
        text: `${serves(position)}. The step begins again, with its whole hold.`,
      }
    case 'next':
      return {
        title: `Begin ${shareAt(position + 1)} now?`,
        action: state === 'waiting' ? 'Approve' : 'Next',
        text: `${serves(position + 1)}. The rest of this step’s hold and its proof are skipped.`,
      }
    case 'back':
      return {
        title: `Go back to ${shareAt(position - 1)}?`,
        action: 'Back',
        text: `${serves(position - 1)}, and the rollout pauses.`,
      }
    case 'stop':
      return {
        title: 'Stop the rollout?',
        action: 'Stop',
        text: `${serves(position)} from now on, and no further step begins.`,
      }
    case 'restore':
      return {
        title: 'Take the rollout back?',
        action: 'Restore',
        text:
          startPercent === null
            ? `The rule that the rollout has made is removed from ${environment}, and the rollout ends.`
            : `${environment} serves ${startPercent}% again, as before the rollout, and the rollout ends.`,
      }
  }
}
