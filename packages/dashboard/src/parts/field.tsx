import { useId, type ComponentProps, type ReactNode } from 'react'

interface FieldProps {
  readonly label: string
  /** What to write, or what follows from it. */
  readonly hint?: ReactNode
  /** Why the server, or the form, does not take it. */
  readonly fault?: string | undefined
}

interface Wiring {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** A control with its label above, a hint, and what is wrong with it below. */
function Field({
  label,
  hint,
  fault,
  children,
}: FieldProps & { readonly children: (wiring: Wiring) => ReactNode }) {
  const id = useId()
  const hintId = `${id}-hint`
  const faultId = `${id}-fault`
  const described = [hint !== undefined && hintId, fault !== undefined && faultId].filter(Boolean)
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
        'aria-invalid': fault === undefined ? undefined : true,
      })}
      {hint !== undefined && (
        <div id={hintId} className="text-sm text-muted">
          {hint}
        </div>
      )}
      {fault !== undefined && (
        <div id={faultId} role="alert" className="text-sm text-bad">
          {fault}
        </div>
      )}
    </div>
  )
}

type Control<Tag extends 'input' | 'textarea' | 'select'> = FieldProps &
  Omit<ComponentProps<Tag>, 'id' | 'className'>

export function TextField({ label, hint, fault, ...rest }: Control<'input'>) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(wiring) => <input className="control" {...wiring} {...rest} />}
    </Field>
  )
}

/** `isCode`: in letters of one width, for what a program reads. */
export function TextArea({
  label,
  hint,
  fault,
  isCode = false,
  ...rest
}: Control<'textarea'> & { readonly isCode?: boolean }) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(wiring) => (
        <textarea
          className={`control ${isCode ? 'font-mono' : ''}`}
          rows={4}
          {...wiring}
          {...rest}
        />
      )}
    </Field>
  )
}

export function SelectField({ label, hint, fault, ...rest }: Control<'select'>) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(wiring) => <select className="control" {...wiring} {...rest} />}
    </Field>
  )
}

/** What browsers are told about a field whose text is secret: not to keep, correct or send it anywhere. */
export const secretInput = {
  autoComplete: 'off',
  autoCorrect: 'off',
  spellCheck: false,
} as const

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'className' | 'type'> {
  readonly label: ReactNode
  readonly hint?: ReactNode
}

export function Checkbox({ label, hint, ...rest }: CheckboxProps) {
  return (
    <label className="flex min-h-7 items-start gap-2">
      <input type="checkbox" className="mt-1 size-4 shrink-0 accent-accent" {...rest} />
      <span className="min-w-0 wrap-anywhere">
        {label}
        {hint !== undefined && <span className="block text-sm text-muted">{hint}</span>}
      </span>
    </label>
  )
}
