import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import { call } from '../../../api/call.ts'
import { toApiProblem, type ApiProblem } from '../../../api/problem.ts'
import { Button } from '../../../components/button.tsx'
import { DialogActions } from '../../../components/dialog.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { useFocusRefused } from '../../../components/use-focus-refused.ts'
import { useOrganization } from '../../../session/organization.ts'
import { isSuspect } from '../review/no-secret.tsx'
import type { ConfigSchema } from '../schema-picker.tsx'
import { toDraftField, type DraftResult, type KeyDraft } from './key-draft.ts'
import { KeyFields, type KeyFieldsProps } from './key-fields.tsx'
import type { PutBody } from './to-put-body.ts'

interface KeyFormProps extends Omit<KeyFieldsProps, 'errorOf' | 'isSuspect'> {
  readonly schema: ConfigSchema
  readonly read: DraftResult
  /** Holds the request that the server checks before the second step. `undefined`: the draft has errors. */
  readonly body: PutBody | undefined
  /** Says whether there is something to review. Default true. */
  readonly isChanged?: boolean
  /** Stands above the fields. */
  readonly children?: ReactNode
  readonly onDraft: (draft: KeyDraft) => void
  /** Called with the rejection that the second step explains: what the change breaks. */
  readonly onReview: (breaks: ApiProblem | undefined) => void
  readonly onClose: () => void
}

interface ServerError {
  readonly problem: ApiProblem
  readonly name: string
  /** Lists the environments of the values that were sent, in their order. */
  readonly environmentIds: readonly string[]
}

/** Renders the first step: the fields, which the server checks before the second step. Errors are shown beside their fields. */
export function KeyForm(props: KeyFormProps) {
  const { schema, read, body, isChanged = true, children, onReview, onClose, ...fields } = props
  const { params } = useOrganization()
  const form = useRef<HTMLFormElement>(null)
  // Another object after each attempt that the form itself refuses.
  const [refused, setRefused] = useState<DraftResult>()
  const [pending, setPending] = useState(false)
  const [serverError, setServerError] = useState<ServerError>()

  useFocusRefused(form, serverError ?? refused)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setRefused(read.ok ? undefined : { ...read })
    if (!read.ok || body === undefined || pending) return
    setPending(true)
    try {
      await call('PUT /organizations/{org_id}/config-schemas/{schema_id}', {
        params: { ...params, schema_id: schema.id },
        body: { ...body, dryRun: true },
        ifMatch: schema.revision,
      })
      onReview(undefined)
    } catch (error) {
      const problem = toApiProblem(error)
      const environmentIds = (body.values ?? []).map(({ environmentId }) => environmentId)
      if (problem.code === 'breaking_change') onReview(problem)
      else setServerError({ problem, name: read.name, environmentIds })
    } finally {
      setPending(false)
    }
  }
  const beside = listBesideFields(serverError)
  return (
    <form
      ref={form}
      className="flex flex-col gap-4"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <FormProblem
        problem={serverError?.problem ?? null}
        fields={beside.map(({ pointer }) => pointer)}
      />
      {children}
      <KeyFields
        {...fields}
        isSuspect={beside.some(isSuspect)}
        errorOf={(field) =>
          (refused && !read.ok ? read.errors.get(field) : undefined) ??
          beside.find((error) => error.field === field)?.detail
        }
        onDraft={(next) => {
          setServerError(undefined)
          fields.onDraft(next)
        }}
      />
      <FormActions isChanged={isChanged} pending={pending} onClose={onClose} />
    </form>
  )
}

interface FormActionsProps {
  readonly isChanged: boolean
  readonly pending: boolean
  readonly onClose: () => void
}

function FormActions({ isChanged, pending, onClose }: FormActionsProps) {
  return (
    <DialogActions>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" variant="primary" pending={pending} disabled={!isChanged}>
        Review
      </Button>
    </DialogActions>
  )
}

/** Lists the server's errors that are shown beside a field. Every other error is shown above the form. */
function listBesideFields(serverError: ServerError | undefined) {
  if (serverError === undefined) return []
  const { problem, name, environmentIds } = serverError
  return problem.errors.flatMap((error) => {
    const field = toDraftField(error.pointer, name, environmentIds)
    return field === undefined ? [] : [{ ...error, field }]
  })
}
