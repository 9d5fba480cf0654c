import { useList } from '../../api/use-api.ts'
import { Checkbox, SelectField, TextField } from '../../components/field.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'
import { useOrganization } from '../../session/organization.ts'
import { oneOf, readNames, stateLabels, type Match } from './route-form.ts'

interface MatchFieldsProps {
  readonly match: Match
  /** Says whether the form was sent without an environment, although only selected ones were asked for. */
  readonly isUnselected: boolean
  readonly onChange: (match: Match) => void
}

/** Renders the conditions of a route. */
export function MatchFields({ match, isUnselected, onChange }: MatchFieldsProps) {
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
      <EnvironmentsField
        chosen={match.environmentIds}
        isUnselected={isUnselected}
        onChoose={(environmentIds) => onChange({ ...match, environmentIds })}
      />
      <TextField
        label="Branches"
        defaultValue={match.branches?.join(', ')}
        placeholder="main, release/*"
        autoComplete="off"
        spellCheck={false}
        help="Leave empty for all branches."
        onChange={({ target }) => onChange({ ...match, branches: readNames(target.value) })}
      />
    </>
  )
}

interface EnvironmentsFieldProps {
  /** Holds the ids of the selected environments. `null`: all of them. */
  readonly chosen: Match['environmentIds']
  readonly isUnselected: boolean
  readonly onChoose: (ids: Match['environmentIds']) => void
}

/** Chooses all environments, or some of them. An empty selection is refused, and never means all. */
function EnvironmentsField({ chosen, isUnselected, onChoose }: EnvironmentsFieldProps) {
  const { params } = useOrganization()
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments', {
    params,
  })
  const choose = (id: string, isOn: boolean) => {
    const others = (chosen ?? []).filter((one) => one !== id)
    onChoose(isOn ? [...others, id] : others)
  }
  return (
    <RadioGroup
      legend="Environments"
      name="environments"
      value={chosen === null ? 'all' : 'selected'}
      onChange={(range) => onChoose(range === 'all' ? null : [])}
      options={[
        { value: 'all', label: 'All environments, also those created later' },
        { value: 'selected', label: 'Only selected environments' },
      ]}
    >
      {chosen !== null && (
        <div className="ml-6 flex flex-wrap gap-x-4 gap-y-1">
          {environments.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={chosen.includes(id)}
              onChange={({ target }) => choose(id, target.checked)}
            />
          ))}
        </div>
      )}
      {isUnselected && (
        <p role="alert" className="ml-6 text-sm text-bad">
          Select at least one environment.
        </p>
      )}
    </RadioGroup>
  )
}
