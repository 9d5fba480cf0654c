import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import type { Environment } from '../../configs/environments.ts'
import { ConsentFields, isConsented, nothingTyped } from '../../configs/review/consent-fields.tsx'
import { toBody } from '../../configs/use-save.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Checkbox, SelectField, TextField } from '../../parts/field.tsx'
import { FormProblem } from '../../parts/states.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { withoutDescendants } from './environment-tree.ts'

interface EnvironmentDialogProps {
  /** The one that is changed; left out, a new one is made. */
  readonly environment?: Environment
  readonly environments: readonly Environment[]
  readonly onClose: () => void
}

const fresh = {
  name: '',
  description: '',
  production: false,
  protection: { confirm: false, comment: false },
  parentId: null,
} as const

/** Makes an environment or changes one: its name, its parent, and what its changes ask for. */
export function EnvironmentDialog({ environment, environments, onClose }: EnvironmentDialogProps) {
  const { params, can } = useOrganization()
  const [draft, setDraft] = useState<Draft>(environment ?? fresh)
  const [typed, setTyped] = useState(nothingTyped)
  const create = useWrite('POST /organizations/{org_id}/environments')
  const update = useWrite('PATCH /organizations/{org_id}/environments/{environment_id}')
  const problem = create.error ?? update.error
  const pending = create.isPending || update.isPending
  const asked = {
    names: environment?.protection.confirm === true ? [environment.name] : [],
    comment: environment?.protection.comment === true,
  }
  const isGuarded = asked.names.length > 0 || asked.comment

  const submit = () => {
    if (pending || !isConsented(asked, typed)) return
    const { name, description, production, parentId, protection } = draft
    const body = { name, description, production, parentId, ...(can('admin') && { protection }) }
    if (environment === undefined) {
      create.mutate({ params, body }, { onSuccess: onClose })
      return
    }
    const consent = toBody({ confirm: asked.names, comment: typed.comment })
    update.mutate(
      {
        params: { ...params, environment_id: environment.id },
        body: { ...body, ...consent },
        ifMatch: environment.revision,
      },
      { onSuccess: onClose },
    )
  }
  return (
    <Dialog
      title={environment === undefined ? 'Create an environment' : `Edit ${environment.name}`}
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <FormProblem problem={problem} fields={['/name', '/description', '/parentId']} />
        <DraftFields
          draft={draft}
          parents={withoutDescendants(environments, environment?.id)}
          faultOf={(pointer) => problem?.faultOf(pointer)}
          mayProtect={can('admin')}
          onDraft={setDraft}
        />
        {isGuarded && <ConsentFields asked={asked} typed={typed} onTyped={setTyped} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            pending={pending}
            disabled={!isConsented(asked, typed)}
          >
            {environment === undefined ? 'Create' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type Draft = Pick<Environment, 'name' | 'description' | 'production' | 'protection' | 'parentId'>

interface DraftFieldsProps {
  readonly draft: Draft
  readonly parents: readonly Environment[]
  readonly faultOf: (pointer: string) => string | undefined
  readonly mayProtect: boolean
  readonly onDraft: (draft: Draft) => void
}

function DraftFields({ draft, parents, faultOf, mayProtect, onDraft }: DraftFieldsProps) {
  const { name, description, production, protection, parentId } = draft
  const protect = (change: Partial<Draft['protection']>) =>
    onDraft({ ...draft, protection: { ...protection, ...change } })
  return (
    <>
      <TextField
        label="Name"
        hint="Used in URLs and on the command line, such as production."
        fault={faultOf('/name')}
        value={name}
        required
        autoFocus
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onDraft({ ...draft, name: target.value })}
      />
      <TextField
        label="Description (optional)"
        fault={faultOf('/description')}
        value={description}
        maxLength={1000}
        onChange={({ target }) => onDraft({ ...draft, description: target.value })}
      />
      <SelectField
        label="Inherits from"
        hint="Values that are not set here come from there. Changing the parent takes effect at once."
        fault={faultOf('/parentId')}
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
        hint="Flags are staged before they change, and the command line asks before every change."
        checked={production}
        onChange={({ target }) => onDraft({ ...draft, production: target.checked })}
      />
      <fieldset disabled={!mayProtect} className="flex flex-col gap-2 disabled:opacity-60">
        <legend className="mb-1 font-medium">Every change requires</legend>
        <Checkbox
          label="The name of the environment"
          hint="Enforced by the server, for people, tokens and API keys alike."
          checked={protection.confirm}
          onChange={({ target }) => protect({ confirm: target.checked })}
        />
        <Checkbox
          label="A comment that says why"
          checked={protection.comment}
          onChange={({ target }) => protect({ comment: target.checked })}
        />
        {!mayProtect && <p className="text-sm">Admins and owners decide this.</p>}
      </fieldset>
    </>
  )
}
