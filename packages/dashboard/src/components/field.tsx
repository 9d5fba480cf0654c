import { useId, type ComponentProps, type ReactNode } from 'react'

interface FieldProps {
  readonly label: string
  /** Explains what to enter, or its effect. */
  readonly help?: ReactNode
  /** Holds the error of the server or of the form. */
  readonly error?: string | undefined
}

interface Wiring {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** Renders a control with its label above, and help and error below. */
function Field({
  label,
  help,
  error,
  children,
}: FieldProps & { readonly children: (wiring: Wiring) => ReactNode }) {
  const id = useId()
  const helpId = `${id}-hint`
  const errorId = `${id}-fault`
  const described = [help !== undefined && helpId, error !== undefined && errorId].filter(Boolean)
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {help !== undefined && (
        <div id={helpId} className="text-sm text-muted">
          {help}
        </div>
      )}
      {error !== undefined && (
        <div id={errorId} role="alert" className="text-sm text-bad">
          {error}
        </div>
      )}
    </div>
  )
}

type Control<Tag extends 'input' | 'textarea' | 'select'> = FieldProps &
  Omit<ComponentProps<Tag>, 'id' | 'className'>

/** Shows a field for one line of text. The browser proposes nothing, unless `autoComplete` says what it is. */
export function TextField({ label, help, error, ...rest }: Control<'input'>) {
  return (
    <Field label={label} help={help} error={error}>
      {(wiring) => <input className="control" autoComplete="off" {...wiring} {...rest} />}
    </Field>
  )
}

/** Renders a field for several lines of text. `isCode` sets it in a monospaced font. */
export function TextArea({
  label,
  help,
  error,
  isCode = false,
  ...rest
}: Control<'textarea'> & { readonly isCode?: boolean }) {
  return (
    <Field label={label} help={help} error={error}>
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

/** Shows a field that offers a few choices. */
export function SelectField({ label, help, error, ...rest }: Control<'select'>) {
  return (
    <Field label={label} help={help} error={error}>
      {(wiring) => <select className="control" {...wiring} {...rest} />}
    </Field>
  )
}

/** Holds the attributes of a field for a secret: browsers neither store, correct nor send it anywhere. */
export const secretInput = {
  autoComplete: 'off',
  autoCorrect: 'off',
  spellCheck: false,
} as const

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'className' | 'type'> {
  readonly label: ReactNode
  readonly help?: ReactNode
  /** Shows a dash where the box is not ticked, because some of what it stands for is. */
  readonly isPartly?: boolean
}

/** Shows a box that is ticked or not. */
export function Checkbox({ label, help, isPartly = false, ...rest }: CheckboxProps) {
  return (
    <label className="flex min-h-7 items-start gap-2">
      <input
        type="checkbox"
        className="mt-1 size-4 shrink-0 accent-accent"
        ref={(box) => {
          if (box !== null) box.indeterminate = isPartly && rest.checked !== true
        }}
        {...rest}
      />
      <span className="min-w-0 wrap-anywhere">
        {label}
        {help !== undefined && <span className="block text-sm text-muted">{help}</span>}
      </span>
    </label>
  )
}
