import { ShieldCheck } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { encode } from 'uqr'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Panel } from '../../components/panel.tsx'
import { FormProblem } from '../../components/states.tsx'
import { CodeBlock, CopyButton } from '../../components/code.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'

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
              onClick={() => begin.mutate({ onSuccess: setEnrolment })}
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
          onConfirm={() => remove.mutate({ onSuccess: () => setRemoving(false) })}
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

interface EnrolDialogProps {
  readonly enrolment: AnswerOf<'POST /me/second-factor'>
  readonly onClose: () => void
}

/** Shows the secret for an authenticator, checks a code of it, and shows the recovery codes once. */
function EnrolDialog({ enrolment, onClose }: EnrolDialogProps) {
  const confirm = useWrite('POST /me/second-factor/confirm')
  const [codes, setCodes] = useState<readonly string[]>()
  const { error } = confirm

  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = { code: fieldsOf(event.currentTarget)('code').trim() }
    confirm.mutate({ body, onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes) })
  }
  return (
    <Dialog
      title="Set up the second factor"
      description="Scan the QR code with your authenticator app, or type in the secret. Then enter the code that the app shows."
      onClose={onClose}
    >
      <QrCode text={enrolment.uri} label="The secret as a QR code" />
      <div className="flex items-center gap-2 rounded bg-raised py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono text-sm break-all">{enrolment.secret}</code>
        <CopyButton text={enrolment.secret} label="Copy the secret" />
      </div>
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <FormProblem problem={error} fields={['/code']} />
        <TextField
          label="Code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          error={error?.errorOf('/code')}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={confirm.isPending}>
            Turn it on
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Renders a text as a QR code, dark on light in both themes: cameras read no other. */
function QrCode({ text, label }: Readonly<{ text: string; label: string }>) {
  const { data, size } = encode(text, { border: 2 })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-48 rounded bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Shows the recovery codes, once. */
function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <Dialog
      title="The second factor is on"
      description="Ten recovery codes for when you lose your authenticator. Each works once. They are shown only once: save them in another place."
      isShownOnce
      onClose={onClose}
    >
      <CodeBlock code={codes.join('\n')} />
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          I have saved them
        </Button>
      </DialogActions>
    </Dialog>
  )
}
