import type { FormEvent } from 'react'
import type { ApiProblem } from '../../../api/problem.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog, DialogActions } from '../../../parts/dialog.tsx'
import { SelectField, TextField } from '../../../parts/field.tsx'
import { fieldsOf } from '../../../parts/read-fields.ts'
import { FormProblem } from '../../../parts/states.tsx'
import type { Codehost } from './codehost-settings.tsx'

export type Rule = Codehost['environmentMap'][number]

interface RuleDialogProps {
  readonly pattern: string
  readonly environments: readonly { readonly id: string; readonly name: string }[]
  readonly repositories: Codehost['repositories']
  readonly pending: boolean
  readonly problem: ApiProblem | null
  readonly onSave: (rule: Rule) => void
  readonly onClose: () => void
}

/** The rule that is added comes first. */
const patternPlace = '/environmentMap/0/pattern'

/** A rule that says which of our environments a name at the code host is. It comes before the others. */
export function RuleDialog({
  pattern,
  environments,
  repositories,
  pending,
  problem,
  onSave,
  onClose,
}: RuleDialogProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    const environmentId = field('environmentId')
    const repositoryId = field('repositoryId')
    onSave({
      pattern: field('pattern').trim(),
      ...(repositoryId !== '' && { repositoryId }),
      environmentId: environmentId === '' ? null : environmentId,
    })
  }
  return (
    <Dialog title="Map an environment" onClose={onClose}>
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <FormProblem problem={problem} fields={[patternPlace]} />
        <TextField
          label="Name at the code host"
          name="pattern"
          defaultValue={pattern}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          placeholder="preview/*"
          hint="A * stands for anything but a slash, ** for a slash as well."
          fault={problem?.faultOf(patternPlace)}
        />
        <SelectField label="In" name="repositoryId">
          <option value="">every repository</option>
          {repositories.map(({ id, fullName }) => (
            <option key={id} value={id}>
              {fullName}
            </option>
          ))}
        </SelectField>
        <SelectField label="Is" name="environmentId">
          {environments.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <option value="">ignored: deployments there are not recorded</option>
        </SelectField>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={pending}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
