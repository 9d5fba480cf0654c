import { useId, useState } from 'react'
import { sameValue, type ConfigValue } from '@signalbox/contract'
import { Switch } from '../../../components/switch.tsx'
import type { MatrixKey } from '../matrix.ts'
import { parseValueOf, toEditText } from '../parse-value.ts'
import { findServedChoices, ServedField } from './served-field.tsx'

interface RestFieldProps {
  readonly row: MatrixKey
  /** Says who gets it, and where. Example: `everyone else in production`. */
  readonly audience: string
  readonly value: ConfigValue | undefined
  readonly isStaged: boolean
  readonly mayWrite: boolean
  readonly onValue: (value: ConfigValue) => void
}

/** Edits the value of everyone whom no rule serves another one. */
export function RestField(props: RestFieldProps) {
  const { audience, value, isStaged, mayWrite, onValue } = props
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-3 rounded-lg border border-line px-3 py-1.5">
      <span className="min-w-0 flex-1">
        {audience.startsWith('everyone else')
          ? 'Everyone else: no rule applies to them'
          : 'Everyone'}
      </span>
      {typeof value === 'boolean' ? (
        <Switch
          label={`E${audience.slice(1)}`}
          checked={value}
          staged={isStaged}
          disabled={!mayWrite}
          onChange={onValue}
        />
      ) : (
        <RestValue {...props} />
      )}
    </div>
  )
}

/** Edits a number or a text. It is staged when it is chosen, by Enter, or when the field is left. */
function RestValue({ row, audience, value, mayWrite, onValue }: RestFieldProps) {
  const [typed, setTyped] = useState<string>()
  const errorId = useId()
  const parsed = typed === undefined ? undefined : parseValueOf(row, typed)
  const keep = (text: string | undefined) => {
    const read = text === undefined ? undefined : parseValueOf(row, text)
    if (read?.ok !== true) return
    setTyped(undefined)
    if (!sameValue(read.value, value)) onValue(read.value)
  }
  const error = parsed?.ok === false ? parsed.error : undefined
  return (
    <form
      noValidate
      className="flex w-44 flex-col gap-1 max-sm:w-full"
      onSubmit={(event) => {
        event.preventDefault()
        keep(typed)
      }}
      onBlur={() => keep(typed)}
    >
      <span className="flex">
        <ServedField
          row={row}
          label={`Value for ${audience}`}
          text={typed ?? (value === undefined ? '' : toEditText(value))}
          errorId={error && errorId}
          disabled={!mayWrite}
          placeholder={value === undefined ? 'no value yet' : undefined}
          onText={(text) => {
            setTyped(text)
            if (findServedChoices(row) !== undefined) keep(text)
          }}
        />
      </span>
      {error !== undefined && (
        <span id={errorId} role="alert" className="text-sm text-bad">
          {error}
        </span>
      )}
    </form>
  )
}
