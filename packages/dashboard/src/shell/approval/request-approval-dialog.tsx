import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { approvalRequested, type ApiProblem } from '../../api/problem.ts'
import { readRequires } from '../../api/read-requires.ts'
import type { RequestOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { TextArea, TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { toMoment } from '../../browser/local-time.ts'
import { closeDialogs } from '../../components/open-dialogs.ts'
import { timeZone } from '../../components/time.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import { fillOmitted } from './fill-omitted.ts'

const route = 'POST /organizations/{org_id}/change-requests'

type Operation = NonNullable<RequestOf<typeof route>['body']>['operation']

/** Describes a write that was refused because others must approve it. */
export interface LackingWrite {
  readonly problem: ApiProblem
  /** Holds the body that was sent, which has the secrets that the problem leaves out. */
  readonly body: unknown
}

interface RequestApprovalDialogProps {
  readonly write: LackingWrite
  /** Called with what the write ends with. */
  readonly onEnd: (problem: ApiProblem) => void
}

/** Makes a request of a write that others must approve, closes the dialogs that sent it, and links to the request. */
export function RequestApprovalDialog({ write, onEnd }: RequestApprovalDialogProps) {
  const create = useWrite(route)
  const linkTo = useRequestLink()
  const [{ title, operation }] = useState(() => readRequest(write))
  const [draft, setDraft] = useState({ title, reason: readComment(write.body), at: '' })
  const submit = () => {
    const applyAt = toMoment(draft.at)
    create.mutate({
      body: {
        title: draft.title,
        reason: draft.reason,
        operation,
        ...(applyAt !== undefined && { applyAt }),
      },
      onSuccess: ({ number }) => {
        onEnd(approvalRequested(number))
        closeDialogs()
        linkTo(number)
      },
    })
  }
  return (
    <FormDialog
      validates
      title="Request approval"
      description={<Needs problem={write.problem} />}
      write={create}
      fields={['/title', '/reason', '/applyAt']}
      submitLabel="Request approval"
      onSubmit={submit}
      onClose={() => onEnd(write.problem)}
    >
      <RequestFields draft={draft} problem={create.error} onDraft={setDraft} />
    </FormDialog>
  )
}

/** Returns a function that says that a request waits, and links to it. */
function useRequestLink() {
  const { slug } = useOrganization()
  const { history } = useRouter()
  return (number: number) =>
    showToast({
      text: approvalRequested(number).message,
      action: {
        label: `Open request ${number}`,
        onSelect: () => history.push(`/${slug}/requests/${number}`),
      },
    })
}

interface Draft {
  readonly title: string
  readonly reason: string
  /** Holds the local date and time of the field. Empty: none. */
  readonly at: string
}

interface RequestFieldsProps {
  readonly draft: Draft
  readonly problem: ApiProblem | null
  readonly onDraft: (draft: Draft) => void
}

function RequestFields({ draft, problem, onDraft }: RequestFieldsProps) {
  return (
    <>
      <TextField
        label="Title"
        required
        maxLength={200}
        value={draft.title}
        error={problem?.errorOf('/title')}
        onChange={({ target }) => onDraft({ ...draft, title: target.value })}
      />
      <TextArea
        label="Why (optional)"
        help="The people who approve it read this."
        rows={3}
        maxLength={2000}
        value={draft.reason}
        error={problem?.errorOf('/reason')}
        onChange={({ target }) => onDraft({ ...draft, reason: target.value })}
      />
      <TextField
        type="datetime-local"
        label="Apply at (optional)"
        help={`In your time zone, ${timeZone}. It then applies itself, if it is approved by that time.`}
        value={draft.at}
        error={problem?.errorOf('/applyAt')}
        onChange={({ target }) => onDraft({ ...draft, at: target.value })}
      />
    </>
  )
}

/** Says whose approval the change needs. */
function Needs({ problem }: { readonly problem: ApiProblem }) {
  const needs = readRequires(problem).filter(({ approvals }) => approvals > 0)
  return (
    <>
      {needs.map(({ environment, approvals }) => (
        <p key={environment}>
          {environment} needs {approvals === 1 ? '1 approval' : `${approvals} approvals`}.
        </p>
      ))}
      <p>Nothing changes until then.</p>
    </>
  )
}

/** Returns the request that the server proposes, complete with the secrets of the write. */
function readRequest({ problem, body }: LackingWrite) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the contract declares these members of the problem
  const { request, omitted } = problem.fields as unknown as {
    readonly request: { readonly title: string; readonly operation: Record<string, unknown> }
    readonly omitted: readonly string[]
  }
  return {
    title: request.title,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server answers the body of the endpoint
    operation: fillOmitted(request.operation, omitted, body) as Operation,
  }
}

/** Returns the comment of a write, which is its reason. */
function readComment(body: unknown): string {
  const isCommented =
    typeof body === 'object' &&
    body !== null &&
    'comment' in body &&
    typeof body.comment === 'string'
  return isCommented ? String(body.comment) : ''
}
