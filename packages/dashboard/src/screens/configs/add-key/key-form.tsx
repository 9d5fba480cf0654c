import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { toApiProblem, type ApiProblem } from '../../../api/problem.ts'
import { Button } from '../../../components/button.tsx'
import { DialogActions } from '../../../components/dialog.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { useOrganization } from '../../../session/organization.ts'
import type { MatrixEnvironment } from '../matrix.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import type { DraftField, DraftResult, KeyDraft } from './key-draft.ts'
import { KeyFields } from './key-fields.tsx'
import { toPutBody } from './to-put-body.ts'

interface KeyFormProps {
  readonly schema: ConfigSchema
  readonly environments: readonly MatrixEnvironment[]
  readonly draft: KeyDraft
  readonly read: DraftResult
  readonly onDraft: (draft: KeyDraft) => void
  readonly onReview: () => void
  readonly onClose: () => void
}

interface ServerError {
  readonly problem: ApiProblem
  readonly name: string
}

/** Renders the first step: the fields, which the server checks before the second step. Errors stand beside their fields. */
export function KeyForm(props: KeyFormProps) {
  const { schema, environments, draft, read, onDraft, onReview, onClose } = props
  const { params } = useOrganization()
  const [isTried, setTried] = useState(false)
  const [pending, setPending] = useState(false)
  const [serverError, setServerError] = useState<ServerError>()

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
      setServerError({ problem: toApiProblem(error), name: read.name })
    } finally {
      setPending(false)
    }
  }
  const pointers = serverError?.problem.errors.map(({ pointer }) => pointer) ?? []
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
        problem={serverError?.problem ?? null}
        fields={pointers.filter((pointer) => pointer.startsWith(`/schema/${serverError?.name}`))}
      />
      <KeyFields
        environments={environments}
        draft={draft}
        errorOf={(field) =>
          (isTried && !read.ok ? read.errors.get(field) : undefined) ?? errorAt(serverError, field)
        }
        onDraft={(next) => {
          setServerError(undefined)
          onDraft(next)
        }}
      />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" pending={pending}>
          Review
        </Button>
      </DialogActions>
    </form>
  )
}

/** Returns the server's error for a field. Errors of the whole key belong to its name. */
function errorAt(serverError: ServerError | undefined, field: DraftField): string | undefined {
  if (serverError === undefined) return undefined
  const { problem, name } = serverError
  const at = `/schema/${name}`
  if (field === 'name') return problem.errorOf(at) ?? problem.errorOf(`${at}/tier`)
  if (field === 'default') return problem.errorOf(`${at}/default`)
  return problem.errors.find(({ pointer }) => pointer.startsWith(`${at}/constraints/${field}`))
    ?.detail
}
