import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { toAskedOf, useEnvironments } from '../../configs/environments.ts'
import { ConsentFields, isConsented, nothingTyped } from '../../configs/review/consent-fields.tsx'
import { readRequired } from '../../configs/review/read-required.ts'
import type { ConfigSchema } from '../../configs/schema-picker.tsx'
import { toBody } from '../../configs/use-save.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { TextArea, TextField } from '../../parts/field.tsx'
import { FormProblem } from '../../parts/states.tsx'
import { useOrganization } from '../../shell/organization.ts'

interface EditDialogProps {
  readonly schema: ConfigSchema
  readonly onClose: () => void
}

/** Renames a schema or describes it. Its name is what command lines ask for, so a new one asks as a change of values does. */
export function EditDialog({ schema, onClose }: EditDialogProps) {
  const { params } = useOrganization()
  const { data: environments = [] } = useEnvironments()
  const [name, setName] = useState(schema.name)
  const [description, setDescription] = useState(schema.description)
  const [typed, setTyped] = useState(nothingTyped)
  const update = useWrite('PATCH /organizations/{org_id}/config-schemas/{schema_id}')
  const { error } = update
  const isRenamed = name !== schema.name
  const known = toAskedOf(isRenamed ? environments : [])
  const told = readRequired(error)
  const asked = {
    names: [...new Set([...known.names, ...told.names])],
    comment: known.comment || told.comment,
  }
  const isAsked = asked.names.length > 0 || asked.comment
  const isReady = (isRenamed || description !== schema.description) && isConsented(asked, typed)

  const submit = () => {
    if (!isReady || update.isPending) return
    const consent = toBody({ confirm: asked.names, comment: typed.comment })
    update.mutate(
      {
        params: { ...params, schema_id: schema.id },
        body: { name, description, ...(isAsked && consent) },
        ifMatch: schema.revision,
      },
      { onSuccess: onClose },
    )
  }
  return (
    <Dialog title={`Edit ${schema.name}`} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <FormProblem problem={error} fields={['/name', '/description']} />
        <TextField
          label="Name"
          hint="Your code and the command line ask for it by this name: change it there as well."
          fault={error?.faultOf('/name')}
          value={name}
          required
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setName(target.value)}
        />
        <TextArea
          label="Description (optional)"
          fault={error?.faultOf('/description')}
          rows={3}
          maxLength={1000}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
        {isAsked && <ConsentFields asked={asked} typed={typed} onTyped={setTyped} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={update.isPending} disabled={!isReady}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
