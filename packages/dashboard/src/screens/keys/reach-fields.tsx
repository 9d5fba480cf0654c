import { useState } from 'react'
import type { FieldError } from '../../api/problem.ts'
import { useList } from '../../api/use-api.ts'
import { Checkbox, TextArea } from '../../components/field.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'
import { accessOptions, findListError, rangeField, toChoices } from './key-form.ts'
import type { ApiKey } from './api-key.ts'

interface ReachFieldsProps {
  readonly kind: 'b2m' | 'm2m' | 'rly'
  /** Holds the current restrictions of the key. */
  readonly reach?: Pick<
    ApiKey,
    'access' | 'environmentIds' | 'schemaIds' | 'allowedOrigins' | 'allowedNetworks'
  >
  readonly errors: readonly FieldError[] | undefined
  /** Lists the restrictions that were sent without a selection. */
  readonly unselected: readonly string[]
}

/** Renders the restrictions of a key: everything of the organization, or what is selected. */
export function ReachFields({ kind, reach, errors, unselected }: ReachFieldsProps) {
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments')
  const { data: schemas = [] } = useList('GET /organizations/{org_id}/config-schemas')
  return (
    <>
      {kind === 'm2m' && <AccessField access={reach?.access} />}
      <Choices
        noun="environment"
        name="environmentIds"
        known={environments}
        chosen={reach?.environmentIds ?? null}
        mayBeAll={kind !== 'rly'}
        isUnselected={unselected.includes('environmentIds')}
      />
      <Choices
        noun="schema"
        name="schemaIds"
        known={schemas}
        chosen={reach?.schemaIds ?? null}
        mayBeAll
        isUnselected={unselected.includes('schemaIds')}
      />
      {kind === 'b2m' && (
        <TextArea
          label="Allowed origins"
          name="allowedOrigins"
          rows={2}
          error={findListError(errors, 'allowedOrigins')}
          defaultValue={reach?.allowedOrigins?.join('\n')}
          placeholder="https://app.example.com"
          help="One per line. Without any, pages of every site can use the key."
        />
      )}
      <NetworksField reach={reach} errors={errors} />
    </>
  )
}

interface NetworksFieldProps extends Pick<ReachFieldsProps, 'errors'> {
  readonly reach: ReachFieldsProps['reach']
}

function NetworksField({ reach, errors }: NetworksFieldProps) {
  return (
    <TextArea
      label="Allowed networks"
      name="allowedNetworks"
      rows={2}
      error={findListError(errors, 'allowedNetworks')}
      defaultValue={reach?.allowedNetworks?.join('\n')}
      placeholder="203.0.113.0/24"
      help="One per line, such as 203.0.113.0/24 or one address. Without any, the key works from everywhere."
    />
  )
}

function AccessField({ access = 'read' }: { readonly access: ApiKey['access'] | undefined }) {
  const [picked, setPicked] = useState(access)
  return (
    <RadioGroup
      legend="Access"
      name="access"
      value={picked}
      onChange={setPicked}
      options={accessOptions}
    />
  )
}

interface ChoicesProps {
  readonly noun: 'environment' | 'schema'
  readonly name: string
  readonly known: readonly { readonly id: string; readonly name: string }[]
  readonly chosen: readonly string[] | null
  /** Says whether a key of this kind may reach everything. */
  readonly mayBeAll: boolean
  /** Says whether the form was sent without a selection. */
  readonly isUnselected: boolean
}

function Choices({ noun, name, known, chosen, mayBeAll, isUnselected }: ChoicesProps) {
  const [picked, setPicked] = useState<'all' | 'selected'>(chosen === null ? 'all' : 'selected')
  const range = mayBeAll ? picked : 'selected'
  const options = toChoices(known, chosen)
  if (options.length === 0) return null
  return (
    <RadioGroup
      legend={noun === 'environment' ? 'Environments' : 'Schemas'}
      name={rangeField(name)}
      value={range}
      onChange={setPicked}
      options={[
        ...(mayBeAll
          ? [{ value: 'all', label: `All ${noun}s, also those created later` } as const]
          : []),
        { value: 'selected', label: `Only selected ${noun}s` },
      ]}
    >
      {range === 'selected' && (
        <div className="ml-6 flex flex-wrap gap-x-4 gap-y-1">
          {options.map((option) => (
            <Checkbox
              key={option.id}
              name={name}
              value={option.id}
              label={option.name}
              defaultChecked={chosen?.includes(option.id)}
            />
          ))}
        </div>
      )}
      {range === 'selected' && isUnselected && (
        <p role="alert" className="ml-6 text-sm text-bad">
          Select at least one {noun}.
        </p>
      )}
    </RadioGroup>
  )
}
