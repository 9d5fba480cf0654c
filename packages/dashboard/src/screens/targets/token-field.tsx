import { secretInput, TextField } from '../../components/field.tsx'

interface TokenFieldProps {
  readonly label: string
  readonly help: string | undefined
  readonly error: string | undefined
  readonly value: string
  readonly onToken: (token: string) => void
}

/** Asks for a token of the provider, which is never shown again. */
export function TokenField({ onToken, ...field }: TokenFieldProps) {
  return (
    <TextField
      {...field}
      type="password"
      {...secretInput}
      autoComplete="new-password"
      onChange={({ target }) => onToken(target.value)}
    />
  )
}
