import { SelectField, TextField } from '../../components/field.tsx'
import { Panel } from '../../components/panel.tsx'
import type { ApiProblem } from '../../api/problem.ts'
import type { Environment } from '../configs/environments.ts'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import type { EnvironmentMap } from './open-export.ts'

/** Describes where an import goes. */
export interface ImportTarget {
  /** Holds the id of the schema. Empty: a new one. */
  readonly schemaId: string
  /** Names the new schema. */
  readonly newName: string
}

interface TargetPanelProps {
  readonly schemas: readonly ConfigSchema[]
  readonly environments: readonly Environment[]
  readonly target: ImportTarget
  /** Names the environments as the export does. */
  readonly theirs: readonly string[]
  readonly map: EnvironmentMap
  readonly problem: ApiProblem | undefined
  readonly onTarget: (target: ImportTarget) => void
  readonly onMap: (theirs: string, ours: string | null) => void
}

/** Asks for the schema, and for the environment here of each environment there. */
export function TargetPanel(props: TargetPanelProps) {
  const { theirs, map, environments, onMap } = props
  const isTaken = (ours: string | null | undefined) =>
    typeof ours === 'string' && theirs.filter((one) => map.get(one) === ours).length > 1
  return (
    <Panel title="2. Where it goes">
      <div className="flex max-w-2xl flex-col gap-4">
        <SchemaFields {...props} />
        {theirs.map((name) => (
          <SelectField
            key={name}
            label={name === '' ? 'Environment' : `Environment ${name}`}
            help={name === '' ? 'The export is about one environment.' : undefined}
            error={
              isTaken(map.get(name))
                ? 'Two environments can’t become the same one. Leave one of them out.'
                : undefined
            }
            value={toOption(map.get(name))}
            onChange={({ target: { value } }) =>
              onMap(name, value === leftOut ? null : value.slice(1))
            }
          >
            {map.get(name) === undefined && <option value="">Choose one</option>}
            {environments.map((environment) => (
              <option key={environment.id} value={`=${environment.name}`}>
                {environment.name}
              </option>
            ))}
            {theirs.length > 1 && <option value={leftOut}>Leave it out</option>}
          </SelectField>
        ))}
      </div>
    </Panel>
  )
}

const leftOut = 'left out'

/** Returns the option of a choice. Names are marked, so that none is taken for another option. */
function toOption(ours: string | null | undefined): string {
  if (ours === undefined) return ''
  return ours === null ? leftOut : `=${ours}`
}

function SchemaFields({ schemas, target, problem, onTarget }: TargetPanelProps) {
  return (
    <>
      {schemas.length > 0 && (
        <SelectField
          label="Schema"
          value={target.schemaId}
          onChange={({ target: { value } }) => onTarget({ ...target, schemaId: value })}
        >
          {schemas.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <option value="">A new schema</option>
        </SelectField>
      )}
      {target.schemaId === '' && (
        <TextField
          label="Name of the new schema"
          help="The name of the application, such as web or checkout-api."
          error={problem?.errorOf('/schema')}
          spellCheck={false}
          value={target.newName}
          onChange={({ target: { value } }) => onTarget({ ...target, newName: value })}
        />
      )}
    </>
  )
}
