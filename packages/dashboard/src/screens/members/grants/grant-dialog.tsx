import type { GrantRole } from '@signalbox/contract'
import { useState, type ReactNode } from 'react'
import type { ApiProblem } from '../../../api/problem.ts'
import type { ItemOf } from '../../../api/routes.ts'
import { useList, useWrite } from '../../../api/use-api.ts'
import { AllOrSelected } from '../../../components/all-or-selected.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { SelectField } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { MoreButton } from '../../../components/more-button.tsx'
import { Overtaken, useEdited } from '../../../components/overtaken.tsx'
import { RadioGroup } from '../../../components/radio-group.tsx'
import { Loaded } from '../../../components/states.tsx'
import type { Environment } from '../../configs/environments.ts'
import type { ConfigSchema } from '../../configs/schema-picker.tsx'
import { useGrantable } from '../access/grant-sentence.tsx'

type Grant = ItemOf<'GET /organizations/{org_id}/grants'>

interface GrantDialogProps {
  /** Holds the grant to change. Absent: creates one. */
  readonly grant?: Grant
  readonly onClose: () => void
}

/** Creates a grant, or changes its role and where it applies. */
export function GrantDialog({ grant, onClose }: GrantDialogProps) {
  const { environments, schemas } = useGrantable()
  const frame = (instead: ReactNode) => (
    <Dialog title={titleOf(grant)} onClose={onClose}>
      {instead}
    </Dialog>
  )
  return (
    <Loaded query={environments} around={frame}>
      {(environments) => (
        <Loaded query={schemas} around={frame}>
          {(all) => (
            <GrantForm grant={grant} environments={environments} schemas={all} onClose={onClose} />
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

function titleOf(grant: Grant | undefined): string {
  return grant === undefined ? 'New grant' : `Change the grant of ${grant.subject.name}`
}

type Terms = Pick<Grant, 'role' | 'environmentIds' | 'schemaIds'>

const fresh: Terms = { role: 'editor', environmentIds: [], schemaIds: null }

const toText = (terms: Terms) => JSON.stringify(terms)

interface GrantFormProps {
  readonly grant: Grant | undefined
  readonly environments: readonly Environment[]
  readonly schemas: readonly ConfigSchema[]
  readonly onClose: () => void
}

function GrantForm({ grant, environments, schemas, onClose }: GrantFormProps) {
  const { send, ...write } = useSave(grant, onClose)
  const [subject, setSubject] = useState('')
  const [wasSent, setSent] = useState(false)
  const saved = toTerms(grant, environments, schemas)
  const { edited: terms, setEdited, isOvertaken, choose } = useEdited(saved, toText)
  const isOpen = grant === undefined && subject === ''
  const submit = () => {
    setSent(true)
    const isIncomplete = terms.environmentIds?.length === 0 || terms.schemaIds?.length === 0
    if (!isIncomplete && !isOpen) send(subject, terms)
  }
  const keep = (next: Terms) => () => {
    choose(next)
    write.reset()
  }
  return (
    <FormDialog
      title={titleOf(grant)}
      description="A grant adds to the role that each member has everywhere, or to the access of a server key, and takes nothing away."
      onClose={onClose}
      write={write}
      fields={subjectFields}
      submitLabel={grant === undefined ? 'Create grant' : 'Save'}
      disabled={isOvertaken}
      onSubmit={submit}
    >
      {isOvertaken && !write.isPending && (
        <Overtaken onTakeTheirs={keep(saved)} onKeepMine={keep(terms)}>
          Somebody else changed this grant while you were editing.
        </Overtaken>
      )}
      {grant === undefined && (
        <SubjectField
          value={subject}
          problem={write.error}
          isUnselected={wasSent && isOpen}
          onPick={setSubject}
        />
      )}
      <TermsFields
        terms={terms}
        environments={environments}
        schemas={schemas}
        wasSent={wasSent}
        onTerms={setEdited}
      />
    </FormDialog>
  )
}

/** Creates a grant of a group, a member or a key, whose id begins as theirs does, or changes the terms of one. */
function useSave(grant: Grant | undefined, onSuccess: () => void) {
  const create = useWrite('POST /organizations/{org_id}/grants')
  const update = useWrite('PATCH /organizations/{org_id}/grants/{grant_id}')
  const { isPending, error, reset } = grant === undefined ? create : update
  const send = (subject: string, terms: Terms) => {
    if (grant === undefined) {
      const of = subject.startsWith('grp_')
        ? { groupId: subject }
        : subject.startsWith('key_')
          ? { keyId: subject }
          : { userId: subject }
      create.mutate({ body: { ...of, ...terms }, onSuccess })
    } else {
      const { id, revision: ifMatch } = grant
      update.mutate({ params: { grant_id: id }, body: terms, ifMatch, onSuccess })
    }
  }
  return { isPending, error, reset, send }
}

/** Returns what a form begins with. It leaves out what is deleted, which no grant can name anew. */
function toTerms(
  grant: Grant | undefined,
  environments: readonly { readonly id: string }[],
  schemas: readonly { readonly id: string }[],
): Terms {
  if (grant === undefined) return fresh
  const { role, environmentIds, schemaIds } = grant
  return {
    role,
    environmentIds: withoutDeleted(environmentIds, environments),
    schemaIds: withoutDeleted(schemaIds, schemas),
  }
}

function withoutDeleted(ids: string[] | null, known: readonly { readonly id: string }[]) {
  return ids && ids.filter((id) => known.some((one) => one.id === id))
}

const subjectFields = ['/userId', '/groupId', '/keyId']

interface SubjectFieldProps {
  readonly value: string
  readonly problem: ApiProblem | null
  /** Says whether the form was sent without a choice. */
  readonly isUnselected: boolean
  readonly onPick: (id: string) => void
}

/** Lets an admin choose the subject of the grant: a group, a member or a server key. */
function SubjectField({ value, problem, isUnselected, onPick }: SubjectFieldProps) {
  const query = { limit: 100 }
  const groups = useList('GET /organizations/{org_id}/groups', { query })
  const members = useList('GET /organizations/{org_id}/members', { query })
  const keys = useList('GET /organizations/{org_id}/api-keys', { query })
  const serverKeys = keys.data?.filter(({ kind, state }) => kind === 'm2m' && state !== 'revoked')
  return (
    <div>
      <SelectField
        label="Who"
        value={value}
        error={
          subjectFields.map((field) => problem?.errorOf(field)).find(Boolean) ??
          (isUnselected ? 'Choose a group, a member or a key.' : undefined)
        }
        onChange={({ target }) => onPick(target.value)}
      >
        <option value="">Choose…</option>
        <optgroup label="Groups">
          {groups.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
        <optgroup label="Members">
          {members.data?.map(({ userId, name, email }) => (
            <option key={userId} value={userId}>
              {name}, {email}
            </option>
          ))}
        </optgroup>
        <optgroup label="Server keys">
          {serverKeys?.map(({ id, name, prefix }) => (
            <option key={id} value={id}>
              {name}, {prefix}…
            </option>
          ))}
        </optgroup>
      </SelectField>
      <MoreButton list={[groups, members].find((each) => each.hasNextPage) ?? keys} />
    </div>
  )
}

const roleOptions: readonly {
  readonly value: GrantRole
  readonly label: string
  readonly help: string
}[] = [
  { value: 'editor', label: 'Editor', help: 'Writes values, without reading secrets.' },
  { value: 'reader', label: 'Reader', help: 'Reads secrets, and writes nothing.' },
  {
    value: 'developer',
    label: 'Developer',
    help: 'Reads secrets, writes values, and changes the schemas and environments that it covers entirely.',
  },
  {
    value: 'admin',
    label: 'Admin',
    help: 'Does all of that, protects environments and deletes. Everywhere, it is the role Admin of a member. A key never manages people or keys.',
  },
]

interface TermsFieldsProps {
  readonly terms: Terms
  readonly environments: readonly Environment[]
  readonly schemas: readonly ConfigSchema[]
  /** Says whether the form was sent, so that an empty selection is an error. */
  readonly wasSent: boolean
  readonly onTerms: (terms: Terms) => void
}

function TermsFields({ terms, environments, schemas, wasSent, onTerms }: TermsFieldsProps) {
  return (
    <>
      <RadioGroup
        legend="Role"
        name="role"
        value={terms.role}
        options={roleOptions}
        onChange={(role) => onTerms({ ...terms, role })}
      />
      <AllOrSelected
        legend="Environments"
        name="environmentIds"
        noun="environment"
        allLabel="All environments, also those created later"
        options={environments.map(({ id, name, production }) => ({
          id,
          name: (
            <>
              {name}{' '}
              {production && name.toLowerCase() !== 'production' && <Badge>production</Badge>}
            </>
          ),
        }))}
        chosen={terms.environmentIds}
        onChange={(ids) => onTerms({ ...terms, environmentIds: ids && [...ids] })}
        isUnselected={wasSent}
      />
      <AllOrSelected
        legend="Schemas"
        name="schemaIds"
        noun="schema"
        allLabel="All schemas, also those created later"
        options={schemas}
        chosen={terms.schemaIds}
        onChange={(ids) => onTerms({ ...terms, schemaIds: ids && [...ids] })}
        isUnselected={wasSent}
      />
    </>
  )
}
