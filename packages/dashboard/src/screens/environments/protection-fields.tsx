import { roles, unprotected, type Role } from '@signalbox/contract'
import type { ApiProblem } from '../../api/problem.ts'
import { useList } from '../../api/use-api.ts'
import { DocsLink } from '../../components/docs-link.tsx'
import { Checkbox, SelectField } from '../../components/field.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'
import type { Environment } from '../configs/environments.ts'
import { hasSignals } from '../proofs/watch-fields.tsx'

type Protection = Environment['protection']
type Approvers = Protection['approvers']

/** Lists the pointers of the errors that the fields of a protection show. */
export const protectionPointers = [
  '/protection/approvals',
  '/protection/approvers',
  '/protection/prove/signals',
  '/protection/prove/minutes',
  '/protection/prove/failures',
]

/** Returns whether a protection names anybody who approves. */
export function hasApprovers({ approvers }: Pick<Protection, 'approvers'>): boolean {
  return 'roles' in approvers ? approvers.roles.length > 0 : approvers.members.length > 0
}

/** Returns whether somebody may give the approvals that a protection requires, and signals watch what it watches, if anything. */
export function isComplete(protection: Protection): boolean {
  return (protection.approvals === 0 || hasApprovers(protection)) && hasSignals(protection.prove)
}

interface ProtectionFieldsProps {
  readonly protection: Protection
  readonly mayProtect: boolean
  readonly problem: ApiProblem | null
  readonly onProtection: (protection: Protection) => void
}

/** Shows what every change of the environment requires. Who approves and what follows is asked once there are approvals. */
export function ProtectionFields({
  protection,
  mayProtect,
  problem,
  onProtection,
}: ProtectionFieldsProps) {
  const protect = (change: Partial<Protection>) => onProtection({ ...protection, ...change })
  return (
    <fieldset disabled={!mayProtect} className="flex min-w-0 flex-col gap-2 disabled:opacity-60">
      <legend className="mb-1 font-medium">Every change requires</legend>
      <Checkbox
        label="The name of the environment"
        help="Enforced by the server, for people, tokens and API keys alike."
        checked={protection.confirm}
        onChange={({ target }) => protect({ confirm: target.checked })}
      />
      <Checkbox
        label="A comment with the reason"
        checked={protection.comment}
        onChange={({ target }) => protect({ comment: target.checked })}
      />
      <SelectField
        label="Approvals"
        help="How many people besides the author have to approve a change before it is applied."
        error={problem?.errorOf('/protection/approvals')}
        value={protection.approvals}
        onChange={({ target }) => protect({ approvals: Number(target.value) })}
      >
        <option value="0">None</option>
        <option value="1">1 person</option>
        <option value="2">2 people</option>
        <option value="3">3 people</option>
      </SelectField>
      {protection.approvals > 0 && (
        <ApprovalFields protection={protection} problem={problem} protect={protect} />
      )}
      {!mayProtect && (
        <p className="text-sm">Only those who administer the environment can change this.</p>
      )}
    </fieldset>
  )
}

interface ApprovalFieldsProps extends Pick<ProtectionFieldsProps, 'protection' | 'problem'> {
  readonly protect: (change: Partial<Protection>) => void
}

function ApprovalFields({ protection, problem, protect }: ApprovalFieldsProps) {
  const { approvals, approvers, declineBlocks, override, killSwitches } = protection
  return (
    <div className="mt-2 flex flex-col gap-4">
      <ApproversField
        approvers={approvers}
        least={approvals + 1}
        error={problem?.errorOf('/protection/approvers')}
        onApprovers={(next) => protect({ approvers: next })}
      />
      <Checkbox
        label="A decline blocks"
        help="One person who declines holds the change up, until they take it back or its author changes it."
        checked={declineBlocks}
        onChange={({ target }) => protect({ declineBlocks: target.checked })}
      />
      <RadioGroup
        legend="Who may override"
        name="override"
        value={override}
        options={overrideOptions}
        onChange={(next) => protect({ override: next })}
      />
      <RadioGroup
        legend="Turning off a kill switch"
        name="killSwitches"
        value={killSwitches}
        options={killSwitchOptions}
        onChange={(next) => protect({ killSwitches: next })}
      />
      <DocsLink page="configuration#approvals">How approvals work</DocsLink>
    </div>
  )
}

const overrideOptions = [
  {
    value: 'admin',
    label: 'Admins and owners',
    help: 'In an emergency they apply a change without its approvals. They confirm their password and say why.',
  },
  { value: 'owner', label: 'Owners' },
  { value: 'nobody', label: 'Nobody' },
] as const

const killSwitchOptions = [
  { value: 'free', label: 'Takes effect immediately' },
  {
    value: 'approved',
    label: 'Waits for approvals too',
    help: 'Turning its flag on again always waits. A flag without a kill switch waits both ways.',
  },
] as const

interface ApproversFieldProps {
  readonly approvers: Approvers
  /** Counts the people who have to be among them. */
  readonly least: number
  readonly error: string | undefined
  readonly onApprovers: (approvers: Approvers) => void
}

function ApproversField({ approvers, least, error, onApprovers }: ApproversFieldProps) {
  const isByRole = 'roles' in approvers
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label="Who approves"
        error={error}
        value={isByRole ? 'roles' : 'members'}
        onChange={({ target }) =>
          onApprovers(target.value === 'roles' ? unprotected.approvers : { members: [] })
        }
      >
        <option value="roles">People with these roles</option>
        <option value="members">These people</option>
      </SelectField>
      {isByRole ? (
        <RoleBoxes chosen={approvers.roles} onChosen={(chosen) => onApprovers({ roles: chosen })} />
      ) : (
        <MemberBoxes
          chosen={approvers.members}
          onChosen={(chosen) => onApprovers({ members: chosen })}
        />
      )}
      <p className="text-sm text-muted">
        At least {least} people: nobody approves their own change.
      </p>
    </div>
  )
}

const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owners',
  admin: 'Admins',
  developer: 'Developers',
  viewer: 'Viewers',
}

interface BoxesProps<Id extends string> {
  readonly chosen: readonly Id[]
  readonly onChosen: (chosen: Id[]) => void
}

function RoleBoxes({ chosen, onChosen }: BoxesProps<Role>) {
  return (
    <Boxes options={roles.map((id) => ({ id, name: roleNames[id] }))} {...{ chosen, onChosen }} />
  )
}

/** Shows the members to choose from. Those who are chosen and have left are shown too, so that they can be taken out. */
function MemberBoxes({ chosen, onChosen }: BoxesProps<string>) {
  const members = useList('GET /organizations/{org_id}/members', { query: { limit: 100 } })
  const known = (members.data ?? []).map(({ userId: id, name, email }) => ({
    id,
    name: `${name}, ${email}`,
  }))
  const gone = chosen.filter((id) => known.every((one) => one.id !== id))
  const left = members.data === undefined || members.hasNextPage ? [] : gone
  return (
    <>
      <Boxes
        options={[...known, ...left.map((id) => ({ id, name: `${id}, no longer a member` }))]}
        {...{ chosen, onChosen }}
      />
      <MoreButton list={members} />
    </>
  )
}

interface Option<Id extends string> {
  readonly id: Id
  readonly name: string
}

function Boxes<Id extends string>({
  options,
  chosen,
  onChosen,
}: BoxesProps<Id> & { readonly options: readonly Option<Id>[] }) {
  return (
    <div className="flex max-h-48 flex-wrap gap-x-4 gap-y-1 overflow-y-auto">
      {options.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={chosen.includes(id)}
          onChange={({ target }) => {
            const others = chosen.filter((one) => one !== id)
            onChosen(target.checked ? [...others, id] : others)
          }}
        />
      ))}
    </div>
  )
}
