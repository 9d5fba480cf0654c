import { useList } from '../../api/use-api.ts'
import { Checkbox, TextArea } from '../../components/field.tsx'
import { useOrganization } from '../../session/organization.ts'
import { toChoices } from './key-form.ts'
import type { ApiKey } from './api-key.ts'

interface ReachFieldsProps {
  readonly kind: 'b2m' | 'm2m'
  /** Holds the current restrictions of the key. */
  readonly reach?: Pick<ApiKey, 'environmentIds' | 'schemaIds' | 'allowedOrigins'>
  readonly originsError: string | undefined
}

/** Renders the restrictions of a key. No selection: everything of the organization. */
export function ReachFields({ kind, reach, originsError }: ReachFieldsProps) {
  const { params } = useOrganization()
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments', {
    params,
  })
  const { data: schemas = [] } = useList('GET /organizations/{org_id}/config-schemas', { params })
  return (
    <>
      <Choices
        legend="Environments"
        name="environmentIds"
        known={environments}
        chosen={reach?.environmentIds ?? null}
      />
      <Choices
        legend="Schemas"
        name="schemaIds"
        known={schemas}
        chosen={reach?.schemaIds ?? null}
      />
      {kind === 'b2m' && (
        <TextArea
          label="Allowed origins"
          name="allowedOrigins"
          rows={2}
          error={originsError}
          defaultValue={reach?.allowedOrigins?.join('\n')}
          placeholder="https://app.example.com"
          help="One per line. Leave empty to let pages of any site use the key."
        />
      )}
    </>
  )
}

interface ChoicesProps {
  readonly legend: string
  readonly name: string
  readonly known: readonly { readonly id: string; readonly name: string }[]
  readonly chosen: readonly string[] | null
}

function Choices({ legend, name, known, chosen }: ChoicesProps) {
  const options = toChoices(known, chosen)
  if (options.length === 0) return null
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
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
      <p className="mt-1 text-sm text-muted">None selected means all, including later ones.</p>
    </fieldset>
  )
}
