import { useState } from 'react'
import { useList, useRead, useWrite } from '../../api/use-api.ts'
import { SelectField, TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useEnvironments } from '../configs/environments.ts'
import { ProviderFields } from './provider-fields.tsx'
import { SelectionFields, selectionPointers, type TargetSelection } from './selection-fields.tsx'
import type { TargetProvider } from './target.ts'

interface CreateTargetDialogProps {
  readonly onCreated: (targetId: string) => void
  readonly onClose: () => void
}

interface Draft {
  readonly name: string
  readonly schemaId: string
  readonly environmentId: string
  readonly provider: string
  readonly destination: Readonly<Record<string, string>>
  readonly token: string
  readonly selection: TargetSelection
}

const emptyDraft: Draft = {
  name: '',
  schemaId: '',
  environmentId: '',
  provider: '',
  destination: {},
  token: '',
  selection: { tiers: ['secret'], keys: [], prefix: '' },
}

/** Creates a target. Nothing is written before its first run. */
export function CreateTargetDialog({ onCreated, onClose }: CreateTargetDialogProps) {
  const [draft, setDraft] = useState(emptyDraft)
  const change = (next: Partial<Draft>) => setDraft({ ...draft, ...next })
  const create = useWrite('POST /organizations/{org_id}/targets')
  const chosen = useChosen(draft)
  const { provider, schema, environment } = chosen
  const submit = () => {
    if (provider === undefined || schema === undefined || environment === undefined) return
    const body = toBody(draft, provider, { schemaId: schema.id, environmentId: environment.id })
    create.mutate({ body, onSuccess: ({ id }) => onCreated(id) })
  }
  return (
    <FormDialog
      shape="drawer"
      isForm
      title="New target"
      description="The values of the chosen keys leave Signalbox: everyone with access to the destination can use them. Nothing is written before you have seen the plan."
      onClose={onClose}
      write={create}
      fields={['/name', '/token', ...selectionPointers, ...listPointers(provider)]}
      submitLabel="Create target"
      disabled={provider?.isUsable !== true || schema === undefined || environment === undefined}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        value={draft.name}
        error={create.error?.errorOf('/name')}
        onChange={({ target }) => change({ name: target.value })}
      />
      <SourceFields {...chosen} draft={draft} onChange={change} />
      <SelectionFields
        schema={schema}
        selection={draft.selection}
        problem={create.error}
        onSelection={(selection) => change({ selection })}
      />
      <Choice
        label="Write to"
        options={chosen.providers.map((one) => ({ id: one.provider, name: one.displayName }))}
        value={provider?.provider}
        onPick={(picked) => change({ provider: picked, destination: {}, token: '' })}
      />
      {provider !== undefined && (
        <ProviderFields
          provider={provider}
          destination={draft.destination}
          token={draft.token}
          problem={create.error}
          onDestination={(destination) => change({ destination })}
          onToken={(token) => change({ token })}
        />
      )}
    </FormDialog>
  )
}

/** Reads what can be chosen, and returns what is: the first of each until a person chooses another. */
function useChosen(draft: Draft) {
  const providers = useProviders()
  const { data: schemas = [] } = useList('GET /organizations/{org_id}/config-schemas', {
    query: { limit: 100 },
  })
  const { data: environments = [] } = useEnvironments()
  return {
    providers,
    schemas,
    environments,
    provider: providers.find((one) => one.provider === draft.provider) ?? providers[0],
    schema: schemas.find(({ id }) => id === draft.schemaId) ?? schemas[0],
    environment: environments.find(({ id }) => id === draft.environmentId) ?? environments[0],
  }
}

interface SourceFieldsProps extends ReturnType<typeof useChosen> {
  readonly draft: Draft
  readonly onChange: (next: Partial<Draft>) => void
}

/** Asks for the schema and the environment. Keys of another schema are dropped. */
function SourceFields(props: SourceFieldsProps) {
  const { schemas, schema, environments, environment, draft, onChange } = props
  return (
    <>
      <Choice
        label="Schema"
        options={schemas}
        value={schema?.id}
        onPick={(schemaId) => onChange({ schemaId, selection: { ...draft.selection, keys: [] } })}
      />
      <Choice
        label="Environment"
        options={environments}
        value={environment?.id}
        onPick={(environmentId) => onChange({ environmentId })}
      />
    </>
  )
}

function listPointers(provider: TargetProvider | undefined): readonly string[] {
  return (provider?.fields ?? []).map(({ name }) => `/destination/${name}`)
}

function useProviders(): readonly TargetProvider[] {
  return useRead('GET /organizations/{org_id}/target-providers').data?.items ?? []
}

function toBody(
  { name, destination, token, selection }: Draft,
  { provider, access }: TargetProvider,
  source: { readonly schemaId: string; readonly environmentId: string },
) {
  return {
    ...source,
    name,
    provider,
    destination: { ...destination },
    ...(access === 'token' && token !== '' && { token }),
    tiers: [...selection.tiers],
    keys: [...selection.keys],
    prefix: selection.prefix,
  }
}

interface ChoiceProps {
  readonly label: string
  readonly options: readonly { readonly id: string; readonly name: string }[]
  readonly value: string | undefined
  readonly onPick: (id: string) => void
}

function Choice({ label, options, value, onPick }: ChoiceProps) {
  return (
    <SelectField label={label} value={value} onChange={({ target }) => onPick(target.value)}>
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
