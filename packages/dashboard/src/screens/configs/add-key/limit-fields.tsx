import { useState } from 'react'
import { numberFormats, textFormats, type ValueFormat, type ValueType } from '@signalbox/contract'
import { Checkbox, SelectField, TextArea, TextField } from '../../../components/field.tsx'
import type { DraftField, KeyDraft } from './key-draft.ts'
import { limitNames, type LimitName } from './limits.ts'

interface LimitFieldsProps {
  readonly draft: KeyDraft
  readonly errorOf: (field: DraftField) => string | undefined
  /** Describes the constraints that have no field and stay as they are. Empty: none. */
  readonly otherConstraints: string
  readonly onDraft: (draft: KeyDraft) => void
}

/** Renders the constraints of the value. Closed at first, because most keys have none. */
export function LimitFields({ draft, errorOf, otherConstraints, onDraft }: LimitFieldsProps) {
  const [isOpen, setOpen] = useState(false)
  const limits: readonly LimitName[] = limitNames[draft.type]
  // A flag that can’t be switched is none: the field is there only to take such a constraint away.
  if (draft.tier === 'featureFlags' && draft.limits.const === '' && otherConstraints === '')
    return null
  const hasErrors = limits.some((limit) => errorOf(limit) !== undefined)
  return (
    <details
      open={isOpen || hasErrors}
      className="rounded-md border border-line px-3 py-2"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="min-h-7 font-medium">Constraints</summary>
      <div className="flex flex-col gap-3 pt-3">
        {draft.type === 'number' && (
          <Checkbox
            label="Whole numbers only"
            checked={draft.isWhole}
            onChange={({ target }) => onDraft({ ...draft, isWhole: target.checked })}
          />
        )}
        <div className="grid gap-3 sm:grid-cols-2">
          {limits.map((limit) => (
            <div key={limit} className={wideLimits.has(limit) ? 'sm:col-span-2' : undefined}>
              <LimitField
                limit={limit}
                type={draft.type}
                text={draft.limits[limit]}
                error={errorOf(limit)}
                onText={(text) => onDraft({ ...draft, limits: { ...draft.limits, [limit]: text } })}
              />
            </div>
          ))}
        </div>
        {otherConstraints !== '' && (
          <p className="text-sm wrap-anywhere text-muted">
            These constraints stay as they are: {otherConstraints}. Change them in your code, or
            under <em>Edit schema</em>.
          </p>
        )}
      </div>
    </details>
  )
}

interface LimitFieldProps {
  readonly limit: LimitName
  readonly type: ValueType
  readonly text: string
  readonly error: string | undefined
  readonly onText: (text: string) => void
}

/** Lists the limits whose field needs the whole width. */
const wideLimits: ReadonlySet<LimitName> = new Set([
  'multipleOf',
  'format',
  'pattern',
  'enum',
  'const',
])

const words: Readonly<Record<LimitName, { readonly label: string; readonly help?: string }>> = {
  minLength: { label: 'Minimum length', help: 'In characters.' },
  maxLength: { label: 'Maximum length', help: 'In characters.' },
  format: { label: 'Format' },
  pattern: {
    label: 'Pattern (regular expression)',
    help: 'It may match anywhere in the value. Begin it with ^ and end it with $ for the whole value.',
  },
  enum: { label: 'Allowed values, one per line' },
  const: { label: 'Only this value', help: 'No environment can set another one.' },
  minimum: { label: 'Minimum', help: 'This number or more.' },
  exclusiveMinimum: { label: 'Greater than', help: 'Not this number itself.' },
  maximum: { label: 'Maximum', help: 'This number or less.' },
  exclusiveMaximum: { label: 'Less than', help: 'Not this number itself.' },
  multipleOf: { label: 'Multiple of', help: 'Such as 5, or 0.01 for cents.' },
}

const formatWords: Readonly<Record<ValueFormat, string>> = {
  uri: 'URL',
  email: 'Email address',
  hostname: 'Host name, such as example.com',
  uuid: 'UUID',
  date: 'Date, such as 2026-11-21',
  'date-time': 'Date and time with a time zone',
  time: 'Time with a time zone, such as 06:00:00Z',
  duration: 'Duration, such as PT15M',
  ipv4: 'IPv4 address',
  ipv6: 'IPv6 address',
  url: 'Public URL (http, https or ftp)',
  'uri-reference': 'URL or path, such as /help?a=1',
  'uri-template': 'URL template, such as /users/{id}',
  regex: 'Regular expression',
  'iso-date-time': 'Date and time, with or without a time zone',
  'iso-time': 'Time, with or without a time zone',
  byte: 'Base64',
  'json-pointer': 'JSON Pointer, such as /a/0',
  'json-pointer-uri-fragment': 'JSON Pointer in a URL, such as #/a/0',
  'relative-json-pointer': 'Relative JSON Pointer, such as 1/a',
  password: 'Password (documents it, accepts every text)',
  binary: 'Binary (documents it, accepts every text)',
  int32: 'Whole number of 32 bits',
  int64: 'Whole number of 64 bits',
  float: 'Float (documents it, accepts every number)',
  double: 'Double (documents it, accepts every number)',
}

function LimitField({ limit, type, text, error, onText }: LimitFieldProps) {
  const shared = { ...words[limit], error, value: text }
  if (limit === 'format') {
    const formats = type === 'number' ? numberFormats : textFormats
    return (
      <SelectField {...shared} onChange={({ target }) => onText(target.value)}>
        <option value="">any</option>
        {formats.map((format) => (
          <option key={format} value={format}>
            {formatWords[format]}
          </option>
        ))}
      </SelectField>
    )
  }
  if (limit === 'const' && type === 'boolean') {
    return (
      <SelectField {...shared} onChange={({ target }) => onText(target.value)}>
        <option value="">any</option>
        <option value="true">on</option>
        <option value="false">off</option>
      </SelectField>
    )
  }
  if (limit === 'enum') {
    return (
      <TextArea
        {...shared}
        rows={3}
        isCode
        spellCheck={false}
        onChange={({ target }) => onText(target.value)}
      />
    )
  }
  const isText = limit === 'pattern' || (limit === 'const' && type === 'string')
  return (
    <TextField
      {...shared}
      inputMode={isText ? 'text' : 'decimal'}
      spellCheck={false}
      onChange={({ target }) => onText(target.value)}
    />
  )
}
