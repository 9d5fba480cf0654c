import { Checkbox, SelectField, TextField } from '../../../components/field.tsx'
import { fieldName, type WorkflowInput } from './workflow-inputs.ts'

interface InputFieldProps {
  readonly input: WorkflowInput
  readonly error: string | undefined
}

/** Renders the field of a workflow's input by its declared type. */
export function InputField({ input, error }: InputFieldProps) {
  const { name, description, type, required, options } = input
  const initial = input.default ?? ''
  const common = {
    label: name,
    name: fieldName(name),
    error,
    ...(description !== null && { help: description }),
  }
  if (type === 'boolean') {
    return (
      <Checkbox
        label={name}
        help={error ?? description ?? undefined}
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
    />
  )
}
