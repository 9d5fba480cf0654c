import type { GateRule } from '@signalbox/contract/rest'
import { useList } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox, SelectField, TextField } from '../../components/field.tsx'
import { timeZone } from '../../components/time.tsx'
import { useEnvironments } from '../configs/environments.ts'
import { dayNames, type FreezeWindow } from './describe-rule.ts'
import { startWindow } from './gate-draft.ts'

type RuleOf<Kind extends GateRule['rule']> = Extract<GateRule, { rule: Kind }>

interface RuleFieldsProps {
  readonly rule: GateRule
  readonly onRule: (rule: GateRule) => void
}

/** Renders the fields of a rule. Some have none: their sentence says everything. */
export function RuleFields({ rule, onRule }: RuleFieldsProps) {
  switch (rule.rule) {
    case 'tests':
      return (
        <AmountFields
          environmentId={rule.environmentId}
          label="Not longer ago than, in hours"
          amount={rule.withinHours}
          max={720}
          onChange={(environmentId, withinHours) => onRule({ ...rule, environmentId, withinHours })}
        />
      )
    case 'soak':
      return (
        <AmountFields
          environmentId={rule.environmentId}
          label="For at least, in minutes"
          amount={rule.minutes}
          max={10_080}
          onChange={(environmentId, minutes) => onRule({ ...rule, environmentId, minutes })}
        />
      )
    case 'freeze':
      return <FreezeFields rule={rule} onRule={onRule} />
    case 'approvals':
      return <ApprovalFields rule={rule} onRule={onRule} />
    case 'configuration':
    case 'issues':
    case 'quiet':
      return null
  }
}

interface AmountFieldsProps {
  readonly environmentId: string
  readonly label: string
  readonly amount: number
  readonly max: number
  readonly onChange: (environmentId: string, amount: number) => void
}

/** Asks for the environment that a rule is about, and for an amount of time. */
function AmountFields({ environmentId, label, amount, max, onChange }: AmountFieldsProps) {
  const { data: environments = [] } = useEnvironments()
  const isGone = environments.every(({ id }) => id !== environmentId)
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <SelectField
        label="In"
        required
        value={isGone ? '' : environmentId}
        onChange={({ target }) => onChange(target.value, amount)}
      >
        {isGone && <option value="">Choose an environment</option>}
        {environments.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        type="number"
        label={label}
        required
        min={1}
        max={max}
        // An empty field is no number: it stays empty, and the browser asks for one.
        value={amount || ''}
        onChange={({ target }) => onChange(environmentId, Number(target.value))}
      />
    </div>
  )
}

interface FreezeFieldsProps extends RuleFieldsProps {
  readonly rule: RuleOf<'freeze'>
}

function FreezeFields({ rule, onRule }: FreezeFieldsProps) {
  const { windows, exceptHotfix } = rule
  const replace = (at: number, next: readonly FreezeWindow[]) =>
    onRule({ ...rule, windows: windows.toSpliced(at, 1, ...next) })
  return (
    <div className="flex flex-col gap-4">
      {windows.map((window, at) => (
        <WindowFields
          key={at}
          label={`Window ${at + 1}`}
          window={window}
          onWindow={(next) => replace(at, [next])}
          onRemove={windows.length === 1 ? undefined : () => replace(at, [])}
        />
      ))}
      <div>
        <Button onClick={() => onRule({ ...rule, windows: [...windows, startWindow(timeZone)] })}>
          Add a window
        </Button>
      </div>
      <Checkbox
        label="A hotfix goes on"
        help="A deployment of a branch or tag whose name begins with hotfix."
        checked={exceptHotfix}
        onChange={({ target }) => onRule({ ...rule, exceptHotfix: target.checked })}
      />
    </div>
  )
}

interface WindowFieldsProps {
  readonly label: string
  readonly window: FreezeWindow
  readonly onWindow: (window: FreezeWindow) => void
  /** Absent: it is the only one. */
  readonly onRemove: (() => void) | undefined
}

const zones = Intl.supportedValuesOf('timeZone')

function WindowFields({ label, window, onWindow, onRemove }: WindowFieldsProps) {
  const { days, from, to, zone } = window
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium">{label}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {dayOptions.map(([day, name]) => (
          <Checkbox
            key={day}
            label={name}
            checked={days.includes(day)}
            onChange={({ target }) => {
              const others = days.filter((one) => one !== day)
              onWindow({ ...window, days: target.checked ? [...others, day] : others })
            }}
          />
        ))}
      </div>
      <div className="grid grid-cols-2 gap-4">
        <TextField
          type="time"
          label="From"
          required
          value={from}
          onChange={({ target }) => onWindow({ ...window, from: target.value })}
        />
        <TextField
          type="time"
          label="To"
          help={to <= from && to !== '' ? 'On the next day.' : undefined}
          required
          value={to}
          onChange={({ target }) => onWindow({ ...window, to: target.value })}
        />
      </div>
      <SelectField
        label="Time zone"
        value={zone}
        onChange={({ target }) => onWindow({ ...window, zone: target.value })}
      >
        {!zones.includes(zone) && <option>{zone}</option>}
        {zones.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      {onRemove !== undefined && (
        <div>
          <Button onClick={onRemove}>Remove the window</Button>
        </div>
      )}
    </fieldset>
  )
}

const dayOptions = [
  ['mon', dayNames.mon],
  ['tue', dayNames.tue],
  ['wed', dayNames.wed],
  ['thu', dayNames.thu],
  ['fri', dayNames.fri],
  ['sat', dayNames.sat],
  ['sun', dayNames.sun],
] as const

interface ApprovalFieldsProps extends RuleFieldsProps {
  readonly rule: RuleOf<'approvals'>
}

/** Asks how many people approve a deployment, and who of the members. */
function ApprovalFields({ rule, onRule }: ApprovalFieldsProps) {
  const { data: members = [] } = useList('GET /organizations/{org_id}/members', {
    query: { limit: 100 },
  })
  const gone = rule.members.filter((id) => members.every(({ userId }) => userId !== id))
  const options = [
    ...members.map(({ userId, name, email }) => ({ id: userId, name: `${name}, ${email}` })),
    ...gone.map((id) => ({ id, name: `${id}, no longer a member` })),
  ]
  return (
    <div className="flex flex-col gap-4">
      <TextField
        type="number"
        label="People"
        required
        min={1}
        max={5}
        value={rule.count || ''}
        onChange={({ target }) => onRule({ ...rule, count: Number(target.value) })}
      />
      <fieldset className="min-w-0">
        <legend className="mb-1 font-medium">Who may approve</legend>
        <div className="flex max-h-48 flex-wrap gap-x-4 gap-y-1 overflow-y-auto">
          {options.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={rule.members.includes(id)}
              onChange={({ target }) => {
                const others = rule.members.filter((one) => one !== id)
                onRule({ ...rule, members: target.checked ? [...others, id] : others })
              }}
            />
          ))}
        </div>
        <p className="text-sm text-muted">
          Without a choice, everybody who may change values there. Nobody approves what they have
          deployed themselves.
        </p>
      </fieldset>
    </div>
  )
}
