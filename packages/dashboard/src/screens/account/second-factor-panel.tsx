import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Panel } from '../../components/panel.tsx'
import { FormProblem } from '../../components/states.tsx'
import { EnrolDialog } from './enrol-dialog.tsx'

interface SecondFactorPanelProps {
  readonly secondFactor: AnswerOf<'GET /me'>['secondFactor']
}

/** Renders the second factor (TOTP, RFC 6238), with the buttons that set it up and turn it off. */
export function SecondFactorPanel({ secondFactor }: SecondFactorPanelProps) {
  const begin = useWrite('POST /me/second-factor')
  const remove = useWrite('DELETE /me/second-factor')
  const [enrolment, setEnrolment] = useState<AnswerOf<'POST /me/second-factor'>>()
  const [isRemoving, setRemoving] = useState(false)
  const isOn = secondFactor?.on === true
  return (
    <Panel
      title="Second factor"
      actions={
        isOn ? (
          <Badge tone="ok" icon={ShieldCheck}>
            On
          </Badge>
        ) : (
          <Badge>Off</Badge>
        )
      }
    >
      <div className="flex max-w-2xl flex-col gap-3">
        <p className="text-muted">
          {isOn
            ? `Your sign-in also needs a code. ${toText(secondFactor.recoveryCodesLeft)} To get new ones, turn it off and set it up again.`
            : 'Your sign-in then also needs a code, so a stolen password isn’t enough. You need an authenticator app.'}
        </p>
        <FormProblem problem={begin.error} />
        <div>
          {isOn ? (
            <Button variant="danger" onClick={() => setRemoving(true)}>
              Turn it off
            </Button>
          ) : (
            <Button
              pending={begin.isPending}
              onClick={() => begin.mutate({}, { onSuccess: setEnrolment })}
            >
              Set it up
            </Button>
          )}
        </div>
      </div>
      {enrolment !== undefined && (
        <EnrolDialog enrolment={enrolment} onClose={() => setEnrolment(undefined)} />
      )}
      {isRemoving && (
        <ConfirmDialog
          title="Turn the second factor off?"
          action="Turn it off"
          write={remove}
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutate({}, { onSuccess: () => setRemoving(false) })}
        >
          Your sign-in then needs only your password. Your recovery codes stop working.
        </ConfirmDialog>
      )}
    </Panel>
  )
}

function toText(codesLeft: number): string {
  return codesLeft === 1 ? '1 recovery code is left.' : `${codesLeft} recovery codes are left.`
}
