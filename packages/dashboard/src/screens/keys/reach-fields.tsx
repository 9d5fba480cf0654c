import { useList } from '../../api/use-api.ts'
import { Checkbox, TextArea } from '../../parts/field.tsx'
import { useOrganization } from '../../shell/organization.ts'

/** What a key is restricted to. Nothing chosen: everything of the organization. */
export function ReachFields({ kind }: { readonly kind: 'b2m' | 'm2m' }) {
  const { params } = useOrganization()
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments', {
    params,
  })
  const { data: schemas = [] } = useList('GET /organizations/{org_id}/config-schemas', { params })
  return (
    <>
      <Choices legend="Environments" name="environmentIds" options={environments} />
      <Choices legend="Schemas" name="schemaIds" options={schemas} />
      {kind === 'b2m' && (
        <TextArea
          label="Allowed origins"
          name="allowedOrigins"
          rows={2}
          placeholder="https://app.example.com"
          hint="One in a line. Left empty: pages of any site may use the key."
        />
      )}
    </>
  )
}

interface ChoicesProps {
  readonly legend: string
  readonly name: string
  readonly options: readonly { readonly id: string; readonly name: string }[]
}

function Choices({ legend, name, options }: ChoicesProps) {
  if (options.length === 0) return null
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {options.map((option) => (
          <Checkbox key={option.id} name={name} value={option.id} label={option.name} />
        ))}
      </div>
      <p className="mt-1 text-sm text-muted">None chosen: all of them, later ones too.</p>
    </fieldset>
  )
}
