import { TextField } from '../components/field.tsx'

/** Renders the field for the second factor, when the server requires it. */
export function CodeField({ error }: { readonly error: string | undefined }) {
  return (
    <TextField
      label="Code"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus
      help="The six digits from your authenticator app, or one of your recovery codes."
      error={error}
    />
  )
}
