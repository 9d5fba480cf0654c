import { useState } from 'react'
import { call } from '../../api/call.ts'
import { toApiProblem, type ApiProblem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { DialogActions } from '../../parts/dialog.tsx'
import { FormProblem } from '../../parts/states.tsx'
import { useOrganization } from '../../shell/organization.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import type { DraftField, DraftResult, KeyDraft } from './key-draft.ts'
import { KeyFields } from './key-fields.tsx'
import { toPutBody } from './to-put-body.ts'

interface KeyFormProps {
  readonly schema: ConfigSchema
  readonly draft: KeyDraft
  readonly read: DraftResult
  readonly onDraft: (draft: KeyDraft) => void
  readonly onReview: () => void
  readonly onClose: () => void
}

interface Refusal {
  readonly problem: ApiProblem
  readonly name: string
}

/** The first step: the fields, checked by the server before the second one. What is wrong stands beside its field. */
export function KeyForm({ schema, draft, read, onDraft, onReview, onClose }: KeyFormProps) {
  const { params } = useOrganization()
  const [isTried, setTried] = useState(false)
  const [pending, setPending] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()

  const submit = async () => {
    setTried(true)
    if (!read.ok || pending) return
    setPending(true)
    try {
      await call('PUT /organizations/{org_id}/config-schemas/{schema_id}', {
        params: { ...params, schema_id: schema.id },
        body: { ...toPutBody(schema, read.name, read.definition), dryRun: true },
        ifMatch: schema.revision,
      })
      onReview()
    } catch (error) {
      setRefusal({ problem: toApiProblem(error), name: read.name })
    } finally {
      setPending(false)
    }
  }
  const shown = refusal?.problem.errors.map(({ pointer }) => pointer) ?? []
  return (
    <form
      className="flex flex-col gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <FormProblem
        problem={refusal?.problem ?? null}
        fields={shown.filter((pointer) => pointer.startsWith(`/schema/${refusal?.name}`))}
      />
      <KeyFields
        draft={draft}
        faultOf={(field) =>
          (isTried && !read.ok ? read.faults.get(field) : undefined) ?? faultAt(refusal, field)
        }
        onDraft={(next) => {
          setRefusal(undefined)
          onDraft(next)
        }}
      />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" pending={pending}>
          Review
        </Button>
      </DialogActions>
    </form>
  )
}

/** Where the server points to for a field; what it says of the whole key stands beside its name. */
function faultAt(refusal: Refusal | undefined, field: DraftField): string | undefined {
  if (refusal === undefined) return undefined
  const { problem, name } = refusal
  const at = `/schema/${name}`
  if (field === 'name') return problem.faultOf(at) ?? problem.faultOf(`${at}/tier`)
  if (field === 'default') return problem.faultOf(`${at}/default`)
  return problem.errors.find(({ pointer }) => pointer.startsWith(`${at}/constraints/${field}`))
    ?.detail
}
