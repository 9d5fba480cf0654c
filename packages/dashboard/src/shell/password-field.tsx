import type { ComponentProps } from 'react'
import { TextField } from '../components/field.tsx'

type PasswordFieldProps = Partial<ComponentProps<typeof TextField>> & {
  /** Asks for a new one: password managers then offer one, and the field says what Signalbox accepts. Default `false`. */
  readonly isNew?: boolean
}

/** Asks for a password, in a way that password managers understand. */
export function PasswordField({ isNew = false, ...rest }: PasswordFieldProps) {
  return (
    <TextField
      label="Password"
      name="password"
      type="password"
      autoComplete={isNew ? 'new-password' : 'current-password'}
      help={isNew ? 'At least 12 characters. A sentence is fine.' : undefined}
      {...rest}
    />
  )
}
