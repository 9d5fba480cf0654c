import { useState } from 'react'
import { toMoment } from '../../browser/local-time.ts'
import { useWrite } from '../../api/use-api.ts'
import { TextArea, TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'
import { timeZone } from '../../components/time.tsx'
import type { Environment } from '../configs/environments.ts'
import { freezeSpans, spanWords, toEnd, type FreezeSpan } from './freeze-end.ts'

interface FreezeDialogProps {
  readonly environment: Environment
  readonly onClose: () => void
}

const options = freezeSpans.map((value) => ({ value, label: spanWords[value] }))

/** Freezes an environment: deployments that ask wait until the end, whatever the gates say. */
export function FreezeDialog({ environment: { id, name }, onClose }: FreezeDialogProps) {
  const freeze = useWrite('PUT /organizations/{org_id}/environments/{environment_id}/freeze')
  const [span, setSpan] = useState<FreezeSpan>('hour')
  const [local, setLocal] = useState('')
  const [reason, setReason] = useState('')
  const isReady = reason.trim() !== '' && (span !== 'other' || toMoment(local) !== undefined)
  return (
    <FormDialog
      validates
      title={`Freeze ${name}`}
      description="Every deployment that asks waits until then, whatever the gates say. Values can still be changed."
      write={freeze}
      fields={['/until', '/reason']}
      submitLabel="Freeze"
      disabled={!isReady}
      onSubmit={() => {
        const until = toEnd(span, new Date()) ?? toMoment(local)
        if (until === undefined) return
        freeze.mutate({
          params: { environment_id: id },
          body: { until, reason: reason.trim() },
          onSuccess: onClose,
        })
      }}
      onClose={onClose}
    >
      <RadioGroup legend="It ends" name="until" value={span} options={options} onChange={setSpan}>
        {span === 'other' && (
          <div className="mt-2 ml-6">
            <TextField
              type="datetime-local"
              label="End"
              help={`In your time zone, ${timeZone}.`}
              required
              value={local}
              onChange={({ target }) => setLocal(target.value)}
            />
          </div>
        )}
      </RadioGroup>
      {freeze.error?.errorOf('/until') !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {freeze.error.errorOf('/until')}
        </p>
      )}
      <TextArea
        label="Why"
        help="Everybody who waits sees it."
        required
        rows={3}
        maxLength={1000}
        value={reason}
        error={freeze.error?.errorOf('/reason')}
        onChange={({ target }) => setReason(target.value)}
      />
    </FormDialog>
  )
}
