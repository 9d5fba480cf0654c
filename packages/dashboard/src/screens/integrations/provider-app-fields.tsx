import type { ApiProblem } from '../../api/problem.ts'
import { secretInput, TextArea, TextField } from '../../components/field.tsx'
import type { ProviderApp } from './provider-app.ts'

interface ProviderAppFieldsProps {
  readonly app: ProviderApp
  readonly problem: ApiProblem | null
}

/** Renders the fields of the provider's application in its order. Secrets can be entered and are never shown. */
export function ProviderAppFields({ app, problem }: ProviderAppFieldsProps) {
  return app.fields.map((field) => (
    <ApplicationField
      key={field.name}
      field={field}
      isStored={app.isStored}
      error={problem?.errorOf(`/${field.name}`)}
    />
  ))
}

interface ApplicationFieldProps {
  readonly field: ProviderApp['fields'][number]
  readonly isStored: boolean
  readonly error: string | undefined
}

function ApplicationField({ field, isStored, error }: ApplicationFieldProps) {
  const { name, label, isSecret, isMultiline, placeholder, value } = field
  const stored = isSecret && isStored ? 'Leave it empty to keep the stored value.' : null
  const common = {
    label,
    name,
    help: [field.hint, stored].filter((text) => text !== null).join(' ') || undefined,
    error,
    ...(placeholder !== null && { placeholder }),
    ...(isSecret ? secretInput : { defaultValue: value ?? '', autoComplete: 'off' }),
  }
  if (isMultiline) return <TextArea {...common} isCode />
  return <TextField {...common} {...(isSecret && { type: 'password' })} />
}
