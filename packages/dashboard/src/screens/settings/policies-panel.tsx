import { useState, type FormEvent } from 'react'
import { fieldsOf } from '../../browser/read-fields.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { useRead, useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { Checkbox, TextArea, TextField } from '../../components/field.tsx'
import { Panel } from '../../components/panel.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'
import { FormProblem, Loaded } from '../../components/states.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import { readLines } from '../keys/key-form.ts'
import { describeEffects, joinNames, type Policies } from './describe-effects.ts'

const route = 'PUT /organizations/{org_id}/policies'

/** Shows what the organization requires of its members. Owners change it. */
export function PoliciesPanel() {
  const { can } = useOrganization()
  const policies = useRead('GET /organizations/{org_id}/policies')
  return (
    <Panel title="Policies">
      <Loaded query={policies}>
        {(read) => (
          <div className="flex max-w-2xl flex-col gap-6">
            <p className="text-muted">
              What this organization requires of its members, from their next request on.{' '}
              {!can('owner') && 'Owners change it. '}
              <DocsLink page="policies">What each policy does</DocsLink>
            </p>
            <PoliciesForm key={read.changedAt} policies={read} mayChange={can('owner')} />
            {can('owner') && <EndSessions />}
          </div>
        )}
      </Loaded>
    </Panel>
  )
}

type Rule = Policies['assistants']['rule']

interface PoliciesFormProps {
  readonly policies: Policies
  readonly mayChange: boolean
}

function PoliciesForm({ policies, mayChange }: PoliciesFormProps) {
  const [rule, setRule] = useState<Rule>(policies.assistants.rule)
  const { propose, isPending, error, dialog } = useSave()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    propose(readForm(event.currentTarget, rule))
  }
  return (
    <>
      <form onSubmit={submit}>
        <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-5">
          <FormProblem problem={error} fields={['/tokenDays', '/sessionIdleMinutes']} />
          <SecondFactorField policies={policies} />
          <LimitFields policies={policies} error={error} />
          <AssistantFields policies={policies} rule={rule} onChange={setRule} />
          {mayChange && (
            <div>
              <Button type="submit" variant="primary" pending={isPending}>
                Save policies
              </Button>
            </div>
          )}
        </fieldset>
      </form>
      {dialog}
    </>
  )
}

type FormPolicies = ReturnType<typeof readForm>

/** Saves policies: first it asks whom they keep out, and shows that, if it is anybody. */
function useSave() {
  const preview = useWrite(route)
  const save = useWrite(route)
  const [proposed, setProposed] = useState<{ policies: FormPolicies; effects: readonly string[] }>()
  const store = (policies: FormPolicies) =>
    save.mutate({
      body: policies,
      onSuccess: () => {
        setProposed(undefined)
        showToast({ text: 'Saved.' })
      },
    })
  const propose = (policies: FormPolicies) =>
    preview.mutate({
      body: { ...policies, dryRun: true },
      onSuccess: (next) => {
        const effects = describeEffects(next)
        if (effects.length === 0) store(policies)
        else setProposed({ policies, effects })
      },
    })
  const isAsking = proposed !== undefined
  return {
    propose,
    isPending: preview.isPending || (save.isPending && !isAsking),
    // The dialog shows its own.
    error: preview.error ?? (isAsking ? null : save.error),
    dialog: isAsking && (
      <ConfirmDialog
        title="Save these policies?"
        action="Save policies"
        write={save}
        onClose={() => setProposed(undefined)}
        onConfirm={() => store(proposed.policies)}
      >
        <ul className="flex list-disc flex-col gap-2 pl-5">
          {proposed.effects.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </ConfirmDialog>
    ),
  }
}

function readForm(form: HTMLFormElement, rule: Rule) {
  const field = fieldsOf(form)
  const isTicked = (name: string) => new FormData(form).has(name)
  const limit = (name: string) => (field(name) === '' ? null : Number(field(name)))
  return {
    secondFactorRequired: isTicked('secondFactorRequired'),
    tokenDays: limit('tokenDays'),
    sessionIdleMinutes: limit('sessionIdleMinutes'),
    assistants: { rule, hosts: readLines(field('hosts')) ?? [], ownTokens: isTicked('ownTokens') },
  }
}

function SecondFactorField({ policies }: Pick<PoliciesFormProps, 'policies'>) {
  const { secondFactorRequired, effects } = policies
  const names = effects.withoutSecondFactor.map(({ name }) => name)
  return (
    <Checkbox
      name="secondFactorRequired"
      label="Require a second factor"
      defaultChecked={secondFactorRequired}
      help={
        names.length === 0
          ? 'Every member has one.'
          : `${secondFactorRequired ? 'Kept out' : 'Would be kept out'} until they turn one on: ${joinNames(names)}.`
      }
    />
  )
}

interface LimitFieldsProps extends Pick<PoliciesFormProps, 'policies'> {
  readonly error: ApiProblem | null
}

/** Shows the limits of tokens and sessions. The browser takes whole numbers alone. */
function LimitFields({ policies, error }: LimitFieldsProps) {
  const { tokenDays, sessionIdleMinutes } = policies
  return (
    <>
      <TextField
        name="tokenDays"
        label="Longest life of a token, in days"
        type="number"
        min={1}
        max={3_650}
        defaultValue={tokenDays ?? ''}
        help="Empty: no limit. Personal and agent tokens that work for longer do not reach this organization, and new API keys end at the latest then."
        error={error?.errorOf('/tokenDays')}
      />
      <TextField
        name="sessionIdleMinutes"
        label="Longest idle session, in minutes"
        type="number"
        min={5}
        max={720}
        defaultValue={sessionIdleMinutes ?? ''}
        help="Empty: 12 hours, as everywhere. After a longer time without a request, a browser has to confirm the password."
        error={error?.errorOf('/sessionIdleMinutes')}
      />
    </>
  )
}

const rules: readonly { readonly value: Rule; readonly label: string; readonly help: string }[] = [
  { value: 'none', label: 'None', help: 'No assistant reaches this organization.' },
  {
    value: 'read',
    label: 'Any may read, listed ones may write',
    help: 'Others read and propose, and a person saves what they propose.',
  },
  { value: 'listed', label: 'Listed ones only', help: 'Others cannot be connected.' },
  { value: 'any', label: 'Any', help: 'Each member decides what their assistant may do.' },
]

interface AssistantFieldsProps extends Pick<PoliciesFormProps, 'policies'> {
  readonly rule: Rule
  readonly onChange: (rule: Rule) => void
}

function AssistantFields({ policies, rule, onChange }: AssistantFieldsProps) {
  const { hosts, ownTokens } = policies.assistants
  return (
    <RadioGroup
      legend="Assistants that members may connect"
      name="rule"
      value={rule}
      onChange={onChange}
      options={rules}
    >
      <div className="mt-3 flex flex-col gap-3">
        <TextArea
          label="Listed assistants"
          name="hosts"
          isCode
          rows={3}
          defaultValue={hosts.join('\n')}
          help="One host per line, such as claude.ai. The page Connect an assistant shows it as Described by."
        />
        <Checkbox
          name="ownTokens"
          label="Tokens that members make by hand count as listed"
          defaultChecked={ownTokens}
        />
      </div>
    </RadioGroup>
  )
}

/** Ends every session of the members for this organization. */
function EndSessions() {
  const { name } = useOrganization()
  const end = useWrite('POST /organizations/{org_id}/policies/end-sessions')
  const [isAsking, setAsking] = useState(false)
  return (
    <div>
      <Button variant="danger" onClick={() => setAsking(true)}>
        End all sessions
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="End all sessions?"
          action="End all sessions"
          write={end}
          onClose={() => setAsking(false)}
          onConfirm={() => end.mutate({ onSuccess: () => setAsking(false) })}
        >
          Every browser of every member, yours too, has to confirm the password before it reaches{' '}
          {name} again. Tokens and API keys go on.
        </ConfirmDialog>
      )}
    </div>
  )
}
