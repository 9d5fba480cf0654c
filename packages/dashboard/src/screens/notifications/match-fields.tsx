import { useList } from '../../api/use-api.ts'
import { Checkbox, SelectField, TextField } from '../../components/field.tsx'
import { useOrganization } from '../../session/organization.ts'
import { oneOf, readNames, stateLabels, type Match } from './route-form.ts'

interface MatchFieldsProps {
  readonly match: Match
  readonly onChange: (match: Match) => void
}

/** Renders the conditions of a route. */
export function MatchFields({ match, onChange }: MatchFieldsProps) {
  const { params } = useOrganization()
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments', {
    params,
  })
  const choose = (id: string, isOn: boolean) => {
    const others = (match.environmentIds ?? []).filter((one) => one !== id)
    const ids = isOn ? [...others, id] : others
    onChange({ ...match, environmentIds: ids.length === 0 ? null : ids })
  }
  return (
    <>
      <SelectField
        label="Which deployments"
        value={match.states}
        onChange={({ target }) =>
          onChange({ ...match, states: oneOf(target.value, ['always', 'changes', 'failures']) })
        }
      >
        {Object.entries(stateLabels).map(([state, label]) => (
          <option key={state} value={state}>
            {label}
          </option>
        ))}
      </SelectField>
      <fieldset>
        <legend className="mb-1 font-medium">Environments</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          {environments.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={match.environmentIds?.includes(id) === true}
              onChange={({ target }) => choose(id, target.checked)}
            />
          ))}
        </div>
        <p className="mt-1 text-sm text-muted">None selected: all environments.</p>
      </fieldset>
      <TextField
        label="Branches"
        defaultValue={match.branches?.join(', ')}
        placeholder="main, release/*"
        autoComplete="off"
        spellCheck={false}
        help="Leave empty for all branches."
        onBlur={({ target }) => onChange({ ...match, branches: readNames(target.value) })}
      />
    </>
  )
}
