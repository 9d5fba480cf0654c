import { z } from 'zod'
import type { OutboundAnswer } from '../../../egress/create-egress.ts'
import type { StartErrorCode, WorkflowRequest, WorkflowStart } from '../../codehosts/workflow.ts'
import { readForeignJson } from '../../../egress/foreign-json.ts'
import { ProviderError } from '../../provider-error.ts'
import type { GithubRequests } from '../api-request.ts'
import { externalId } from '../../codehosts/fields.ts'

const started = z.object({ workflow_run_id: externalId, html_url: z.string().catch('') })
const rejection = z.object({ message: z.string() })

/** Each time, GitHub names inputs that it does not expect; a second time would be a surprise. */
const triesMax = 3

/**
 * Starts a workflow and asks for the number of its run. Sent again only where GitHub has said that nothing was started
 * because of an input that the workflow does not declare, and then without it.
 *
 * @see https://docs.github.com/en/rest/actions/workflows#create-a-workflow-dispatch-event
 */
export async function startWorkflow(
  requests: Pick<GithubRequests, 'post'>,
  repository: string,
  { workflowId, ref, inputs }: WorkflowRequest,
): Promise<WorkflowStart> {
  const path = `${repository}/actions/workflows/${encodeURIComponent(workflowId)}/dispatches`
  let declared = inputs
  for (let tries = 1; ; tries += 1) {
    const answer = await send(requests, path, { ref, inputs: declared })
    if ('outcome' in answer) return answer
    const message = readRejection(answer)
    const isUnexpected = message.startsWith(unexpectedInputs)
    if (!isUnexpected || tries === triesMax) {
      return refuse('rejected', codeOf(answer, message))
    }
    declared = without(declared, message)
  }
}

/** Sends the request; returns its outcome, or the answer that refuses it with a reason. */
async function send(
  { post }: Pick<GithubRequests, 'post'>,
  path: string,
  { ref, inputs }: Pick<WorkflowRequest, 'ref' | 'inputs'>,
): Promise<WorkflowStart | OutboundAnswer> {
  try {
    const json = { ref, inputs, return_run_details: true }
    const answer = await post(path, { json, accept: [400, 404, 422] })
    return answer.status < 400 ? readStart(answer) : answer
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.failure === 'ambiguous') return { outcome: 'ambiguous' }
    if (error.failure === 'forbidden') return refuse('forbidden', 'forbidden')
    if (error.failure === 'rejected') return { outcome: 'refused', error }
    throw error
  }
}

function refuse(failure: 'forbidden' | 'rejected', code: string): WorkflowStart {
  return { outcome: 'refused', error: new ProviderError({ provider: 'github', failure, code }) }
}

/** It was started. Older versions of GitHub Enterprise Server answer 204, and do not say as which run. */
function readStart({ body }: OutboundAnswer): WorkflowStart {
  const { data } = started.safeParse(readForeignJson(body))
  return data === undefined
    ? { outcome: 'ambiguous' }
    : { outcome: 'started', runId: data.workflow_run_id, runUrl: data.html_url }
}

function readRejection({ body }: OutboundAnswer): string {
  return rejection.safeParse(readForeignJson(body)).data?.message ?? ''
}

const unexpectedInputs = 'Unexpected inputs provided'
const names = z.array(z.string())

/** Example: `Unexpected inputs provided: ["sha", "environment"]`. All are left out where it cannot be told which. */
function without(inputs: WorkflowRequest['inputs'], message: string): WorkflowRequest['inputs'] {
  const list = message.slice(Math.max(message.indexOf('['), 0), message.lastIndexOf(']') + 1)
  const { data: unexpected = [] } = names.safeParse(readForeignJson(Buffer.from(list)))
  const left = Object.entries(inputs).filter(([name]) => !unexpected.includes(name))
  return left.length < Object.keys(inputs).length ? Object.fromEntries(left) : {}
}

const codes = [
  [/no ref found/i, 'ref_not_found'],
  [/does not have 'workflow_dispatch' trigger/i, 'no_dispatch_trigger'],
  [/disabled workflow/i, 'workflow_disabled'],
  [/required input/i, 'input_required'],
] as const satisfies readonly (readonly [RegExp, StartErrorCode])[]

/** GitHub says why by a sentence alone. */
function codeOf({ status }: OutboundAnswer, message: string): string {
  if (status === 404) return 'not_found'
  return codes.find(([pattern]) => pattern.test(message))?.[1] ?? `http_${status}`
}
