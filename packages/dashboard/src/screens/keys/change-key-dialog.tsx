import { Fragment, useState } from 'react'
import type { ApiProblem } from '../../api/problem.ts'
import { useWrite } from '../../api/use-api.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Overtaken, useBase } from '../../components/overtaken.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { toExactTime } from '../../components/time.tsx'
import { listPointers, toExpiry } from './key-form.ts'
import { expiryOptions } from '../../shell/expiry-field.tsx'
import { ReachFields } from './reach-fields.tsx'
import { accountPointers } from './service-account-form.ts'
import { ServiceAccountFields } from './service-account-fields.tsx'
import { useKeyAccess } from './use-key-access.ts'
import type { ApiKey } from './api-key.ts'

interface ChangeKeyDialogProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
}

/** Changes a key's name, reach and expiry. Its secret stays the same. */
export function ChangeKeyDialog({ apiKey, onClose }: ChangeKeyDialogProps) {
  const update = useWrite('PATCH /organizations/{org_id}/api-keys/{key_id}')
  const access = useKeyAccess()
  const { isOvertaken, rebase } = useBase(String(apiKey.revision))
  // Counts how often the person took the saved key: the fields are then made anew.
  const [taken, setTaken] = useState(0)
  const { error } = update
  const { id, name, kind } = apiKey

  const submit = (form: HTMLFormElement) => {
    const field = fieldsOf(form)
    const days = field('days')
    const chosen = access.read(form, kind)
    if (chosen === undefined) return
    const body = {
      name: field('name'),
      ...chosen.reach,
      ...(kind === 'm2m' && { serviceAccounts: chosen.accounts }),
      ...(days !== 'same' && { expiresAt: toExpiry(days, new Date()) }),
    }
    update.mutate({ params: { key_id: id }, body, ifMatch: apiKey.revision, onSuccess: onClose })
  }
  const choose = () => {
    rebase()
    update.reset()
  }
  return (
    <FormDialog
      title={`Change ${name}`}
      description="Its secret stays the same. A change of its access takes effect within two seconds."
      onClose={onClose}
      write={update}
      fields={['/name', ...listPointers(error?.errors), ...accountPointers(error?.errors)]}
      submitLabel="Save"
      disabled={isOvertaken}
      onSubmit={submit}
    >
      {isOvertaken && !update.isPending && (
        <Overtaken
          onTakeTheirs={() => {
            choose()
            setTaken(taken + 1)
          }}
          onKeepMine={choose}
        >
          Somebody else changed this key while you were editing.
        </Overtaken>
      )}
      <Fragment key={taken}>
        <KeyFields apiKey={apiKey} problem={error} access={access} />
      </Fragment>
    </FormDialog>
  )
}

interface KeyFieldsProps {
  readonly apiKey: ApiKey
  readonly problem: ApiProblem | null
  readonly access: Pick<ReturnType<typeof useKeyAccess>, 'unselected' | 'unreadable'>
}

/** Holds the fields of a key, filled in with what is saved. */
function KeyFields({ apiKey, problem, access }: KeyFieldsProps) {
  const { name, kind, serviceAccounts, expiresAt } = apiKey
  return (
    <>
      <TextField label="Name" name="name" defaultValue={name} error={problem?.errorOf('/name')} />
      <ReachFields
        kind={kind}
        reach={apiKey}
        errors={problem?.errors}
        unselected={access.unselected}
      />
      {kind === 'm2m' && (
        <ServiceAccountFields
          accounts={serviceAccounts ?? []}
          errors={problem?.errors}
          unreadable={access.unreadable}
        />
      )}
      <ExpiryChange expiresAt={expiresAt} />
    </>
  )
}

function ExpiryChange({ expiresAt }: Pick<ApiKey, 'expiresAt'>) {
  return (
    <SelectField label="Expires" name="days" defaultValue="same">
      <option value="same">
        unchanged: {expiresAt === null ? 'never' : toExactTime(expiresAt)}
      </option>
      {expiryOptions}
      {expiresAt !== null && <option value="">never</option>}
    </SelectField>
  )
}
