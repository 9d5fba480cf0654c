import { TextField } from '../parts/field.tsx'

/** The second factor, where the server asked for it. */
export function CodeField({ fault }: { readonly fault: string | undefined }) {
  return (
    <TextField
      label="Code"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus
      hint="The six digits from your authenticator app, or one of your recovery codes."
      fault={fault}
    />
  )
}
