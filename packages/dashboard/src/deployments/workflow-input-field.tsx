import { Checkbox, SelectField, TextField } from '../parts/field.tsx'
import { fieldName, type WorkflowInput } from './workflow-inputs.ts'

interface InputFieldProps {
  readonly input: WorkflowInput
  readonly fault: string | undefined
}

/** One input of a workflow, in the way that its declaration asks for. */
export function InputField({ input, fault }: InputFieldProps) {
  const { name, description, type, required, options } = input
  const initial = input.default ?? ''
  const common = {
    label: name,
    name: fieldName(name),
    fault,
    ...(description !== null && { hint: description }),
  }
  if (type === 'boolean') {
    return (
      <Checkbox
        label={name}
        hint={fault ?? description ?? undefined}
        name={fieldName(name)}
        defaultChecked={initial === 'true'}
      />
    )
  }
  if (type === 'choice') {
    return (
      <SelectField {...common} defaultValue={initial} required={required}>
        {!required && <option value="">None</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </SelectField>
    )
  }
  return (
    <TextField
      {...common}
      type={type === 'number' ? 'number' : 'text'}
      step="any"
      defaultValue={initial}
      required={required}
      autoComplete="off"
    />
  )
}
