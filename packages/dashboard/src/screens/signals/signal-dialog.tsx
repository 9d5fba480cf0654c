import { signalKinds } from '@signalbox/contract'
import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'
import {
  ConfirmationFields,
  isConfirmed,
  nothingTyped,
} from '../configs/review/confirmation-fields.tsx'
import { readRequired } from '../configs/review/read-required.ts'
import { toBody as toConfirmed } from '../configs/use-save.ts'
import type { Signal } from '../proofs/use-signals.ts'
import { kindWords } from './describe-signal.ts'
import { SignalAddress } from './signal-address.tsx'
import { freshSignal, toBody, toChange, toDraft } from './signal-draft.ts'
import { SpecFields, specPointers } from './spec-fields.tsx'

type Created = AnswerOf<'POST /organizations/{org_id}/signals'>

const fields = ['/name', ...specPointers]

interface CreateSignalDialogProps {
  readonly onClose: () => void
}

/** Creates a signal. Shows how alerts are sent to it, with the secret, once. */
export function CreateSignalDialog({ onClose }: CreateSignalDialogProps) {
  const create = useWrite('POST /organizations/{org_id}/signals')
  const [draft, setDraft] = useState(freshSignal)
  const [created, setCreated] = useState<Created>()
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  if (created !== undefined)
    return <SignalAddress signal={created} secret={created.secret} onClose={onClose} />
  return (
    <FormDialog
      validates
      title="New signal"
      description="A signal says whether a change does harm."
      write={create}
      fields={fields}
      submitLabel="Create signal"
      onSubmit={() =>
        create.mutate({
          body: toBody(draft),
          onSuccess: (answer) => {
            if (answer.address === null) onClose()
            else setCreated(answer)
          },
        })
      }
      onClose={onClose}
    >
      <NameField
        name={draft.name}
        error={create.error?.errorOf('/name')}
        onName={(name) => change({ name })}
      />
      <RadioGroup
        legend="What it is"
        name="kind"
        value={draft.kind}
        options={kindOptions}
        onChange={(kind) => change({ kind })}
      />
      <SpecFields draft={draft} signal={undefined} problem={create.error} onChange={change} />
    </FormDialog>
  )
}

const kindOptions = Object.entries(kindWords).flatMap(([kind, { name, help }]) => {
  const value = signalKinds.find((one) => one === kind)
  return value === undefined ? [] : [{ value, label: name, help }]
})

interface ChangeSignalDialogProps {
  readonly signal: Signal
  readonly onClose: () => void
}

/** Changes a signal. What the environments that name it ask for is asked here, once the server has said so. */
export function ChangeSignalDialog({ signal, onClose }: ChangeSignalDialogProps) {
  const update = useWrite('PATCH /organizations/{org_id}/signals/{signal_id}')
  const [draft, setDraft] = useState(() => toDraft(signal))
  const [typed, setTyped] = useState(nothingTyped)
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const required = readRequired(update.error)
  const isAsked = required.names.length > 0 || required.comment
  return (
    <FormDialog
      validates
      title={`Change ${signal.name}`}
      write={update}
      fields={fields}
      submitLabel="Save"
      disabled={!isConfirmed(required, typed)}
      onSubmit={() =>
        update.mutate({
          params: { signal_id: signal.id },
          body: {
            ...toChange(draft, signal),
            ...toConfirmed({ confirm: required.names, comment: typed.comment }),
          },
          ifMatch: signal.revision,
          onSuccess: onClose,
        })
      }
      onClose={onClose}
    >
      <NameField
        name={draft.name}
        error={update.error?.errorOf('/name')}
        onName={(name) => change({ name })}
      />
      <SpecFields draft={draft} signal={signal} problem={update.error} onChange={change} />
      {isAsked && <ConfirmationFields required={required} typed={typed} onTyped={setTyped} />}
    </FormDialog>
  )
}

interface NameFieldProps {
  readonly name: string
  readonly error: string | undefined
  readonly onName: (name: string) => void
}

function NameField({ name, error, onName }: NameFieldProps) {
  return (
    <TextField
      label="Name"
      required
      placeholder="api-errors"
      value={name}
      error={error}
      onChange={({ target }) => onName(target.value)}
    />
  )
}
