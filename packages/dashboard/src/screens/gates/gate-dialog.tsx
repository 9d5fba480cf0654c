import type { Gate, GateRuleKind } from '@signalbox/contract/rest'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/use-api.ts'
import { AllOrSelected } from '../../components/all-or-selected.tsx'
import { Button } from '../../components/button.tsx'
import { Checkbox, SelectField, TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'
import { timeZone } from '../../components/time.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useEnvironments } from '../configs/environments.ts'
import { describeRule } from './describe-rule.ts'
import {
  addRule,
  freshGate,
  isComplete,
  startRule,
  toBody,
  toDraft,
  type DraftRule,
  type GateDraft,
} from './gate-draft.ts'
import { RuleFields } from './rule-fields.tsx'
import { useNames } from './use-names.ts'

interface GateDialogProps {
  /** Holds the gate to change. `undefined`: creates a new one. */
  readonly gate?: Gate
  readonly onClose: () => void
}

/** Creates or changes a gate: where it stands, and what deployments wait for there. */
export function GateDialog({ gate, onClose }: GateDialogProps) {
  const create = useWrite('POST /organizations/{org_id}/gates')
  const update = useWrite('PUT /organizations/{org_id}/gates/{gate_id}')
  const [draft, setDraft] = useState(() => (gate === undefined ? freshGate : toDraft(gate)))
  const write = gate === undefined ? create : update
  const submit = () => {
    const body = toBody(draft)
    if (gate === undefined) {
      create.mutate({ body, onSuccess: onClose })
      return
    }
    update.mutate({
      params: { gate_id: gate.id },
      body: { ...body, revision: gate.revision },
      onSuccess: () => {
        showToast({ text: 'Saved. Deployments that wait are judged again.' })
        onClose()
      },
    })
  }
  return (
    <FormDialog
      validates
      isForm
      shape="drawer"
      title={gate === undefined ? 'New gate' : `Change ${gate.name}`}
      description="A deployment that asks goes on once every rule is met."
      write={write}
      fields={['/name']}
      submitLabel={gate === undefined ? 'Create gate' : 'Save'}
      disabled={!isComplete(draft)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={100}
        placeholder="Production"
        value={draft.name}
        error={write.error?.errorOf('/name')}
        onChange={({ target }) => setDraft({ ...draft, name: target.value })}
      />
      <WhereFields draft={draft} onDraft={setDraft} />
      <RadioGroup
        legend="What it does"
        name="mode"
        value={draft.mode}
        options={modes}
        onChange={(mode) => setDraft({ ...draft, mode })}
      />
      <RulesField draft={draft} onDraft={setDraft} />
    </FormDialog>
  )
}

const modes = [
  { value: 'enforce', label: 'Hold deployments up', help: 'Until every rule is met.' },
  {
    value: 'watch',
    label: 'Only watch',
    help: 'It says what it would have held up, and holds nothing up.',
  },
] as const

interface DraftProps {
  readonly draft: GateDraft
  readonly onDraft: (draft: GateDraft) => void
}

/** Asks for the environments and the repositories whose deployments wait. */
function WhereFields({ draft, onDraft }: DraftProps) {
  const { data: environments = [] } = useEnvironments()
  const { data: overview } = useRead('GET /organizations/{org_id}/overview')
  const { environmentIds, repositories } = draft
  const tracked = overview?.repositories.map(({ repository }) => repository) ?? []
  const known = [...new Set([...tracked, ...(repositories ?? [])])]
  return (
    <>
      <fieldset className="min-w-0">
        <legend className="mb-1 font-medium">Deployments to</legend>
        <div className="flex max-h-48 flex-wrap gap-x-4 gap-y-1 overflow-y-auto">
          {environments.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={environmentIds.includes(id)}
              onChange={({ target }) => {
                const others = environmentIds.filter((one) => one !== id)
                onDraft({ ...draft, environmentIds: target.checked ? [...others, id] : others })
              }}
            />
          ))}
        </div>
      </fieldset>
      {known.length > 0 && (
        <AllOrSelected
          legend="Of"
          name="repositories"
          noun="repository"
          plural="repositories"
          allLabel="All repositories"
          options={known.map((name) => ({ id: name, name: <bdi>{name}</bdi> }))}
          chosen={repositories}
          isUnselected={false}
          onChange={(chosen) => onDraft({ ...draft, repositories: chosen })}
        />
      )}
    </>
  )
}

const kindOptions: readonly { readonly kind: GateRuleKind; readonly name: string }[] = [
  { kind: 'configuration', name: 'Configuration: the commit has the values that it needs' },
  { kind: 'tests', name: 'Tests: they passed for the same commit elsewhere' },
  { kind: 'soak', name: 'Time: the same commit has been live elsewhere' },
  { kind: 'freeze', name: 'Freeze: nothing is deployed at these times' },
  { kind: 'issues', name: 'Issues: those of the deployment are done' },
  { kind: 'quiet', name: 'Quiet: nothing there is being watched or has just failed' },
  { kind: 'approvals', name: 'People: they approve the deployment' },
]

/** Lists the rules in words, each with its fields, and adds others. */
function RulesField({ draft, onDraft }: DraftProps) {
  const { data: environments = [] } = useEnvironments()
  const { rules, environmentIds } = draft
  const elsewhere = environments.find(({ id }) => !environmentIds.includes(id)) ?? environments[0]
  const add = (kind: GateRuleKind) =>
    onDraft(addRule(draft, startRule(kind, { environmentId: elsewhere?.id ?? '', zone: timeZone })))
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 font-medium">They wait until</legend>
      {rules.length === 0 && <p className="text-muted">No rule yet. Add at least one.</p>}
      {rules.map((one) => (
        <RuleItem
          key={one.number}
          draft={one}
          onRule={(rule) =>
            onDraft({
              ...draft,
              rules: rules.map((each) => (each === one ? { ...one, rule } : each)),
            })
          }
          onRemove={() => onDraft({ ...draft, rules: rules.filter((each) => each !== one) })}
        />
      ))}
      {rules.length < 20 && (
        <SelectField
          label="Add a rule"
          value=""
          onChange={({ target }) => {
            const chosen = kindOptions.find(({ kind }) => kind === target.value)
            if (chosen !== undefined) add(chosen.kind)
          }}
        >
          <option value="">Choose what they wait for</option>
          {kindOptions.map(({ kind, name }) => (
            <option key={kind} value={kind}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
    </fieldset>
  )
}

interface RuleItemProps {
  readonly draft: DraftRule
  readonly onRule: (rule: DraftRule['rule']) => void
  readonly onRemove: () => void
}

function RuleItem({ draft: { rule }, onRule, onRemove }: RuleItemProps) {
  const sentence = describeRule(rule, useNames())
  return (
    <section
      aria-label={sentence}
      className="flex flex-col gap-3 rounded-lg border border-line p-3"
    >
      <div className="flex items-start gap-2">
        <p className="min-w-0 flex-1 wrap-anywhere">{sentence}</p>
        <Button variant="quiet" aria-label={`Remove: ${sentence}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
      <RuleFields rule={rule} onRule={onRule} />
    </section>
  )
}
