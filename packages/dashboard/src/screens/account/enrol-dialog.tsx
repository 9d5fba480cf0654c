import { useState, type FormEvent } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/code.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { FormProblem } from '../../components/states.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { encode } from 'uqr'

interface EnrolDialogProps {
  readonly enrolment: AnswerOf<'POST /me/second-factor'>
  readonly onClose: () => void
}

/** Shows the secret for an authenticator, checks a code of it, and shows the recovery codes once. */
export function EnrolDialog({ enrolment, onClose }: EnrolDialogProps) {
  const confirm = useWrite('POST /me/second-factor/confirm')
  const [codes, setCodes] = useState<readonly string[]>()
  const { error } = confirm

  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = { code: fieldsOf(event.currentTarget)('code').trim() }
    confirm.mutate({ body }, { onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes) })
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

interface QrCodeProps {
  readonly text: string
  readonly label: string
}

/** Renders a text as a QR code, dark on light in both themes: cameras read no other. */
function QrCode({ text, label }: QrCodeProps) {
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
