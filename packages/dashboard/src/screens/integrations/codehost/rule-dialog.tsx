import type { ApiProblem } from '../../../api/problem.ts'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { SelectField, TextField } from '../../../components/field.tsx'
import { fieldsOf } from '../../../browser/read-fields.ts'
import { useProviderName } from '../../../session/use-provider-name.ts'
import type { Codehost, Rule } from './codehost.ts'

interface RuleDialogProps {
  readonly pattern: string
  readonly environments: readonly { readonly id: string; readonly name: string }[]
  readonly repositories: Codehost['repositories']
  readonly pending: boolean
  readonly problem: ApiProblem | null
  readonly onSave: (rule: Rule) => void
  readonly onClose: () => void
}

/** Points to the new rule, which comes first. */
const patternPointer = '/environmentMap/0/pattern'

/** Adds a rule that maps a name at the code host to an environment of ours. It comes before the others. */
export function RuleDialog({
  pattern,
  environments,
  repositories,
  pending,
  problem,
  onSave,
  onClose,
}: RuleDialogProps) {
  const host = useProviderName('codehost')
  return (
    <FormDialog
      title="Map an environment"
      onClose={onClose}
      write={{ isPending: pending, error: problem }}
      fields={[patternPointer]}
      submitLabel="Save"
      onSubmit={(form) => onSave(readRule(form))}
    >
      <TextField
        label={`Name on ${host}`}
        name="pattern"
        defaultValue={pattern}
        spellCheck={false}
        autoFocus
        placeholder="preview/*"
        help="* matches anything except a slash, ** also matches slashes."
        error={problem?.errorOf(patternPointer)}
      />
      <SelectField label="Repository" name="repositoryId">
        <option value="">every repository</option>
        {repositories.map(({ id, fullName }) => (
          <option key={id} value={id}>
            {fullName}
          </option>
        ))}
      </SelectField>
      <SelectField label="Environment" name="environmentId">
        {environments.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value="">Ignored: Signalbox doesn’t record its deployments</option>
      </SelectField>
    </FormDialog>
  )
}

function readRule(form: HTMLFormElement): Rule {
  const field = fieldsOf(form)
  const environmentId = field('environmentId')
  const repositoryId = field('repositoryId')
  return {
    pattern: field('pattern').trim(),
    ...(repositoryId !== '' && { repositoryId }),
    environmentId: environmentId === '' ? null : environmentId,
  }
}
