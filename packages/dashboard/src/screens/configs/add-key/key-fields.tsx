import { tiers, valueTypes, type Tier } from '@signalbox/contract'
import { useId } from 'react'
import { Checkbox, secretInput, SelectField, TextField } from '../../../components/field.tsx'
import { Segments } from '../../../components/tabs.tsx'
import { tierIcons } from '../grid/key-cell.tsx'
import { tierWords, toValueText, type MatrixEnvironment } from '../matrix.ts'
import { NoteFields } from '../notes/note-fields.tsx'
import type { StoredValues } from '../edit-key/stored-values.ts'
import { NoSecret } from '../review/no-secret.tsx'
import { parseValue, publicValueWarning, submitOnEnter } from '../parse-value.ts'
import { withTier, withType, type DraftField, type KeyDraft } from './key-draft.ts'
import { LimitFields } from './limit-fields.tsx'
import { TargetingFields } from './targeting-fields.tsx'

/** Describes the fields of a key, and what is in them. */
export interface KeyFieldsProps {
  /** Says whether the name can be typed. Default true: a key that exists keeps its name. */
  readonly hasName?: boolean
  /** Lists the environments that get a value. */
  readonly environments: readonly MatrixEnvironment[]
  readonly draft: KeyDraft
  /** Holds the values of a key that exists. Default: it is new. */
  readonly stored?: StoredValues
  /** Describes the constraints that have no field. Default: none. */
  readonly otherConstraints?: string
  readonly errorOf: (field: DraftField) => string | undefined
  /** Says whether a value was refused because it has the form of a credential. */
  readonly isSuspect: boolean
  readonly onDraft: (draft: KeyDraft) => void
}

const readers: Readonly<Record<Tier, string>> = {
  public: 'Everyone can read it: browsers receive it.',
  secret: 'Only servers can read it, and members who reveal it.',
  featureFlags: 'On or off. Everyone can read its state.',
}

const tierOptions = tiers.map((tier) => ({
  value: tier,
  label: tierWords[tier],
  icon: tierIcons[tier],
}))

const exampleNames: Readonly<Record<Tier, string>> = {
  public: 'checkoutTimeoutMs',
  secret: 'paymentApiKey',
  featureFlags: 'newCheckout',
}

/** Renders the fields of a key: its name, tier, type and constraints. */
export function KeyFields(props: KeyFieldsProps) {
  const { hasName = true, environments, stored, draft, otherConstraints = '' } = props
  const { errorOf, onDraft } = props
  const change = (part: Partial<KeyDraft>) => onDraft({ ...draft, ...part })
  return (
    <>
      {hasName && (
        <TextField
          label="Name"
          help={`The name that your code reads, such as ${exampleNames[draft.tier]}.`}
          error={errorOf('name')}
          value={draft.name}
          required
          spellCheck={false}
          onChange={({ target }) => change({ name: target.value })}
        />
      )}
      <TierField draft={draft} onDraft={onDraft} />
      <TypeField draft={draft} onDraft={onDraft} />
      <ValueFields
        environments={environments}
        stored={stored}
        draft={draft}
        errorOf={errorOf}
        onDraft={onDraft}
      />
      {draft.tier !== 'secret' && (
        <DefaultField draft={draft} error={errorOf('default')} onDraft={onDraft} />
      )}
      {(props.isSuspect || draft.isPlain !== undefined) && (
        <NoSecret
          name={draft.name}
          checked={draft.isPlain === true}
          onChange={(isPlain) => change({ isPlain })}
        />
      )}
      <Checkbox
        label="Required"
        help="Signalbox reports every environment that has no value."
        checked={draft.isRequired}
        onChange={({ target }) => change({ isRequired: target.checked })}
      />
      <TargetingFields draft={draft} errorOf={errorOf} onDraft={onDraft} />
      <TextField
        label="Description (optional)"
        value={draft.description}
        maxLength={1000}
        onChange={({ target }) => change({ description: target.value })}
      />
      <NoteFields draft={draft} errorOf={errorOf} onDraft={onDraft} />
      <LimitFields
        draft={draft}
        errorOf={errorOf}
        otherConstraints={otherConstraints}
        onDraft={onDraft}
      />
    </>
  )
}

function TierField({ draft, onDraft }: Pick<KeyFieldsProps, 'draft' | 'onDraft'>) {
  return (
    <div className="flex flex-col items-start gap-1">
      <span aria-hidden className="font-medium">
        Who reads it
      </span>
      <Segments
        label="Who reads it"
        options={tierOptions}
        value={draft.tier}
        onChange={(tier) => onDraft(withTier(draft, tier))}
      />
      <span className="text-sm text-muted">{readers[draft.tier]}</span>
    </div>
  )
}

/** Selects the type of the value. A flag is on or off. */
function TypeField({ draft, onDraft }: Pick<KeyFieldsProps, 'draft' | 'onDraft'>) {
  if (draft.tier === 'featureFlags') return null
  return (
    <SelectField
      label="Type"
      value={draft.type}
      onChange={({ target }) =>
        onDraft(withType(draft, valueTypes.find((type) => type === target.value) ?? 'string'))
      }
    >
      {valueTypes.map((type) => (
        <option key={type}>{type}</option>
      ))}
    </SelectField>
  )
}

interface DefaultFieldProps {
  readonly draft: KeyDraft
  readonly error: string | undefined
  readonly onDraft: (draft: KeyDraft) => void
}

function DefaultField({ draft, error, onDraft }: DefaultFieldProps) {
  const onText = (defaultText: string) => onDraft({ ...draft, defaultText })
  if (draft.type === 'boolean') {
    return (
      <SelectField
        label="Default"
        error={error}
        value={draft.defaultText}
        onChange={({ target }) => onText(target.value)}
      >
        <option value="">none</option>
        <option value="false">off</option>
        <option value="true">on</option>
      </SelectField>
    )
  }
  return (
    <TextField
      label="Default (optional)"
      help="Applications receive it in environments without a value."
      error={error}
      value={draft.defaultText}
      spellCheck={false}
      onChange={({ target }) => onText(target.value)}
    />
  )
}

interface ValueFieldsProps {
  readonly environments: readonly MatrixEnvironment[]
  /** Holds the values of a key that exists. `undefined`: it is new. */
  readonly stored: StoredValues | undefined
  readonly draft: KeyDraft
  readonly errorOf: (field: DraftField) => string | undefined
  readonly onDraft: (draft: KeyDraft) => void
}

/** Renders a field for the value in each environment, which may stay empty. */
function ValueFields(props: ValueFieldsProps) {
  const { environments, stored, draft, errorOf, onDraft } = props
  if (environments.length === 0) return null
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Value in each environment (optional)</legend>
      {environments.map(({ id, name }) => (
        <ValueField
          key={id}
          name={name}
          draft={draft}
          text={draft.values[id] ?? stored?.get(id)?.text ?? ''}
          emptyText={stored?.get(id)?.emptyText ?? toEmptyText(draft)}
          error={errorOf(`value of ${id}`)}
          onText={(text) => onDraft({ ...draft, values: { ...draft.values, [id]: text } })}
        />
      ))}
    </fieldset>
  )
}

interface ValueFieldProps {
  readonly name: string
  readonly draft: KeyDraft
  readonly text: string
  /** Says what holds while the field is empty. */
  readonly emptyText: string
  readonly error: string | undefined
  readonly onText: (text: string) => void
}

function ValueField({ name, draft, text, emptyText, error, onText }: ValueFieldProps) {
  const id = useId()
  const parsed = parseValue(text, draft.type)
  const warning =
    draft.tier === 'public' && parsed.ok ? publicValueWarning(draft.name, parsed.value) : undefined
  const remark = error ?? warning
  const wiring = {
    id,
    value: text,
    'aria-invalid': error === undefined ? undefined : (true as const),
    'aria-describedby': remark === undefined ? undefined : `${id}-remark`,
  }
  return (
    <div className="grid grid-cols-[9rem_minmax(0,1fr)] items-center gap-x-3 gap-y-1 max-sm:grid-cols-1">
      <label htmlFor={id} className="min-w-0 wrap-anywhere text-muted">
        {name}
      </label>
      {draft.type === 'boolean' ? (
        <select className="control" {...wiring} onChange={({ target }) => onText(target.value)}>
          <option value="">{emptyText}</option>
          <option value="true">on</option>
          <option value="false">off</option>
        </select>
      ) : (
        // A secret may have several lines: an input would drop them.
        <textarea
          className={`control resize-none font-mono ${draft.tier === 'secret' ? 'masked' : ''}`}
          rows={Math.min(6, text.split('\n').length)}
          placeholder={emptyText}
          inputMode={draft.type === 'number' ? 'decimal' : undefined}
          {...wiring}
          {...secretInput}
          onChange={({ target }) => onText(target.value)}
          onKeyDown={draft.type === 'json' ? undefined : submitOnEnter}
        />
      )}
      {remark !== undefined && (
        <div
          id={`${id}-remark`}
          role="alert"
          className={`text-sm sm:col-start-2 ${error === undefined ? 'text-warn' : 'text-bad'}`}
        >
          {remark}
        </div>
      )}
    </div>
  )
}

/** Describes an environment without a value of a new key. */
function toEmptyText({ defaultText, type }: KeyDraft): string {
  if (defaultText === '') return 'no value'
  return `default: ${type === 'boolean' ? toValueText(defaultText === 'true') : defaultText}`
}
