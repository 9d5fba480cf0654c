import { useList } from '../../api/use-api.ts'
import { AllOrSelected } from '../../components/all-or-selected.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { oneOf, readNames, stateLabels, type Match } from './route-form.ts'

interface MatchFieldsProps {
  readonly match: Match
  readonly onChange: (match: Match) => void
  /** Says whether the form was sent without a selected environment. */
  readonly isUnselected: boolean
}

/** Renders the conditions of a route. */
export function MatchFields({ match, onChange, isUnselected }: MatchFieldsProps) {
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments')
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
      <AllOrSelected
        legend="Environments"
        name="environmentIds"
        noun="environment"
        allLabel="All environments, also those created later"
        options={environments}
        chosen={match.environmentIds}
        onChange={(chosen) => onChange({ ...match, environmentIds: chosen && [...chosen] })}
        isUnselected={isUnselected}
      />
      <TextField
        label="Repositories"
        defaultValue={match.repositories?.join(', ')}
        placeholder="acme/shop, acme/web-*"
        spellCheck={false}
        help="Full names. Leave empty for all repositories."
        onChange={({ target }) => onChange({ ...match, repositories: readNames(target.value) })}
      />
      <TextField
        label="Branches"
        defaultValue={match.branches?.join(', ')}
        placeholder="main, release/*"
        spellCheck={false}
        help="Leave empty for all branches."
        onChange={({ target }) => onChange({ ...match, branches: readNames(target.value) })}
      />
    </>
  )
}
