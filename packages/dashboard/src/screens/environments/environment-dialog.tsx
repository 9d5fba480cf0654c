import { canonicalJson, unprotected } from '@signalbox/contract'
import { useState } from 'react'
import type { ApiProblem } from '../../api/problem.ts'
import { useWrite } from '../../api/use-api.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Overtaken, useEdited } from '../../components/overtaken.tsx'
import { Checkbox, SelectField, TextField } from '../../components/field.tsx'
import { everywhere, useOrganization, wholeEnvironment } from '../../session/organization.ts'
import type { Environment } from '../configs/environments.ts'
import {
  ConfirmationFields,
  isConfirmed,
  nothingTyped,
} from '../configs/review/confirmation-fields.tsx'
import { RenameNotice } from '../configs/review/rename-notice.tsx'
import { toBody } from '../configs/use-save.ts'
import {
  hasApprovers,
  isComplete,
  ProtectionFields,
  protectionPointers,
} from './protection-fields.tsx'
import { ProveFields } from './prove-fields.tsx'

interface EnvironmentDialogProps {
  /** Holds the environment to change. `undefined`: creates a new one. */
  readonly environment?: Environment
  readonly environments: readonly Environment[]
  readonly onClose: () => void
}

const fresh = {
  name: '',
  description: '',
  production: false,
  protection: unprotected,
  parentId: null,
} as const

/** Creates or changes an environment: its name, its parent, and its protection. */
export function EnvironmentDialog({ environment, environments, onClose }: EnvironmentDialogProps) {
  const { mayProtect, parents } = useLimits(environment, environments)
  const saved: Draft = environment ?? fresh
  const { edited: draft, setEdited: setDraft, isOvertaken, choose } = useEdited(saved, toText)
  const [typed, setTyped] = useState(nothingTyped)
  const create = useWrite('POST /organizations/{org_id}/environments')
  const update = useWrite('PATCH /organizations/{org_id}/environments/{environment_id}')
  const problem = create.error ?? update.error
  const pending = create.isPending || update.isPending
  const required = toRequired(environment, draft)
  const isGuarded = required.names.length > 0 || required.comment
  const isReady = !isOvertaken && isComplete(draft.protection) && isConfirmed(required, typed)

  const submit = () => {
    const body = toChange(draft, saved, mayProtect)
    if (environment === undefined) {
      create.mutate({ body, onSuccess: onClose })
      return
    }
    update.mutate({
      params: { environment_id: environment.id },
      body: { ...body, ...toBody({ confirm: required.names, comment: typed.comment }) },
      ifMatch: environment.revision,
      onSuccess: onClose,
    })
  }
  return (
    <FormDialog
      validates
      title={environment === undefined ? 'Create an environment' : `Edit ${environment.name}`}
      onClose={onClose}
      write={{ isPending: pending, error: problem }}
      fields={['/name', '/description', '/parentId', ...protectionPointers]}
      submitLabel={environment === undefined ? 'Create' : 'Save'}
      disabled={!isReady}
      onSubmit={submit}
    >
      {isOvertaken && !pending && (
        <OvertakenBy
          onKeep={(next) => {
            choose(next)
            update.reset()
          }}
          {...{ saved, draft }}
        />
      )}
      <DraftFields
        draft={draft}
        parents={parents}
        problem={problem}
        mayProtect={mayProtect}
        onDraft={setDraft}
      />
      <RenameNotice saved={environment} name={draft.name} toThing={toThing} />
      {isGuarded && <ConfirmationFields required={required} typed={typed} onTyped={setTyped} />}
    </FormDialog>
  )
}

type Draft = Pick<Environment, 'name' | 'description' | 'production' | 'protection' | 'parentId'>

/** Returns what is sent. A parent that stays is not named: the person may have no right to its secrets. */
function toChange(
  { name, description, production, parentId, protection }: Draft,
  saved: Draft,
  mayProtect: boolean,
) {
  return {
    name,
    description,
    production,
    ...(parentId !== saved.parentId && { parentId }),
    ...(mayProtect && { protection: withoutEmptyList(protection) }),
  }
}

/** Leaves out a list without approvers, which nobody asks for while there are no approvals. */
function withoutEmptyList({ approvers, ...protection }: Draft['protection']) {
  return { ...protection, ...(hasApprovers({ approvers }) && { approvers }) }
}

/** Returns what the person may decide of an environment: its protection, and its parent, whose secrets it then serves. */
function useLimits(environment: Environment | undefined, environments: readonly Environment[]) {
  const { may } = useOrganization()
  const reach = environment === undefined ? everywhere : wholeEnvironment(environment.id)
  return {
    mayProtect: may('deleteConfig', reach),
    parents: withoutDescendants(environments, environment?.id).filter(
      ({ id }) => id === environment?.parentId || may('readSecrets', wholeEnvironment(id)),
    ),
  }
}

interface OvertakenByProps {
  readonly saved: Draft
  readonly draft: Draft
  readonly onKeep: (next: Draft) => void
}

function OvertakenBy({ saved, draft, onKeep }: OvertakenByProps) {
  return (
    <Overtaken onTakeTheirs={() => onKeep(saved)} onKeepMine={() => onKeep(draft)}>
      Somebody else changed this environment while you were editing.
    </Overtaken>
  )
}

const toThing = (environmentId: string) => ({ environmentId })

/**
 * Returns what a change of the environment requires. In production, its description alone may change without more: a new name or
 * parent reaches the programs that read it.
 */
function toRequired(environment: Environment | undefined, draft: Draft) {
  if (environment === undefined) return { names: [], comment: false }
  const { name, parentId, production, protection } = environment
  const reachesPrograms =
    name !== draft.name || parentId !== draft.parentId || production !== draft.production
  const asksName = protection.confirm || (production && reachesPrograms)
  return { names: asksName ? [name] : [], comment: protection.comment }
}

/** Returns everything that the dialog changes, as one text. */
function toText({ name, description, production, protection, parentId }: Draft): string {
  return JSON.stringify([name, description, production, canonicalJson(protection), parentId])
}

interface DraftFieldsProps {
  readonly draft: Draft
  readonly parents: readonly Environment[]
  readonly problem: ApiProblem | null
  readonly mayProtect: boolean
  readonly onDraft: (draft: Draft) => void
}

function DraftFields({ draft, parents, problem, mayProtect, onDraft }: DraftFieldsProps) {
  const { name, description, production, parentId } = draft
  return (
    <>
      <TextField
        label="Name"
        help="Used in URLs and on the command line, such as production."
        error={problem?.errorOf('/name')}
        value={name}
        required
        autoFocus
        spellCheck={false}
        onChange={({ target }) => onDraft({ ...draft, name: target.value })}
      />
      <TextField
        label="Description (optional)"
        error={problem?.errorOf('/description')}
        value={description}
        maxLength={1000}
        onChange={({ target }) => onDraft({ ...draft, description: target.value })}
      />
      <SelectField
        label="Inherits from"
        help="Values that are not set here come from there. A new parent takes effect immediately."
        error={problem?.errorOf('/parentId')}
        value={parentId ?? ''}
        onChange={({ target }) =>
          onDraft({ ...draft, parentId: target.value === '' ? null : target.value })
        }
      >
        <option value="">Nothing</option>
        {parents.map((parent) => (
          <option key={parent.id} value={parent.id}>
            {parent.name}
          </option>
        ))}
      </SelectField>
      <Checkbox
        label="Production"
        help="The dashboard and the command line ask for its name before every change."
        checked={production}
        onChange={({ target }) => onDraft({ ...draft, production: target.checked })}
      />
      <ProtectionFields
        protection={draft.protection}
        mayProtect={mayProtect}
        problem={problem}
        onProtection={(protection) => onDraft({ ...draft, protection })}
      />
      <ProveFields
        prove={draft.protection.prove}
        mayProtect={mayProtect}
        problem={problem}
        onProve={(prove) => onDraft({ ...draft, protection: { ...draft.protection, prove } })}
      />
    </>
  )
}

interface Node {
  readonly id: string
  readonly parentId: string | null
}

/** Returns the environments that this one may inherit from: neither itself nor its descendants. */
function withoutDescendants<Environment extends Node>(
  environments: readonly Environment[],
  id: string | undefined,
): readonly Environment[] {
  const parents = new Map(environments.map((one) => [one.id, one.parentId]))
  return environments.filter((one) => !isBelow(parents, one.id, id))
}

function isBelow(
  parents: ReadonlyMap<string, string | null>,
  id: string,
  ancestor: string | undefined,
): boolean {
  // The server keeps it a tree. The loop is bounded all the same.
  let at: string | null | undefined = id
  for (let step = 0; step <= parents.size && at !== null && at !== undefined; step += 1) {
    if (at === ancestor) return true
    at = parents.get(at)
  }
  return false
}
