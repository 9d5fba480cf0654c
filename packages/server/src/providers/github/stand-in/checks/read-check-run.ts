import type { Answer, SandboxRequest } from '../../../../../../sandbox/src/http/route.ts'
import { refuse } from '../errors.ts'
import { createInput } from '../routes/create-input.ts'
import type { CheckConclusion, GithubAnnotation, GithubCheckRun } from '../state.ts'

const annotationsMax = 50
const textMax = 65_535

const statuses = ['queued', 'in_progress', 'completed'] as const
const levels = ['notice', 'warning', 'failure'] as const
const conclusions: readonly CheckConclusion[] = [
  'action_required',
  'cancelled',
  'failure',
  'neutral',
  'skipped',
  'success',
  'timed_out',
]

/** Holds what a request says of a check run. What it leaves out is `undefined`, and stays as it is. */
export interface CheckRunFields {
  readonly sha: string | undefined
  readonly name: string | undefined
  readonly detailsUrl: string | undefined
  readonly externalId: string | undefined
  readonly status: GithubCheckRun['status'] | undefined
  readonly conclusion: CheckConclusion | undefined
  readonly title: string | undefined
  readonly summary: string | undefined
  readonly annotations: readonly GithubAnnotation[]
}

/** Reads the body of a request, or refuses it: what is completed has a conclusion, and a request fifty annotations. */
export function readCheckRun(
  request: SandboxRequest,
): CheckRunFields | { readonly refused: Answer } {
  const input = createInput(request)
  const output = input.object('output') ?? {}
  const [title, summary] = [output['title'], output['summary']].map(textOrUndefined)
  const listed: unknown = output['annotations'] ?? []
  const annotations = Array.isArray(listed) ? listed.map(toAnnotation) : [undefined]
  const fields = {
    sha: input.text('head_sha'),
    name: input.text('name'),
    detailsUrl: input.text('details_url'),
    externalId: input.text('external_id'),
    status: statuses.find((one) => one === input.text('status')),
    conclusion: conclusions.find((one) => one === input.text('conclusion')),
    title,
    summary,
  }
  const [named, known] = [input.text('conclusion'), fields.conclusion]
  const problems = [
    [named !== known, 'conclusion is not in the list'],
    [fields.status === 'completed' && known === undefined, '"conclusion" wasn’t supplied'],
    [annotations.length > annotationsMax, `annotations: only ${annotationsMax} are allowed`],
    [annotations.includes(undefined), 'annotations: one is not valid'],
    [(summary ?? '').length > textMax, `summary: only ${textMax} characters are allowed`],
  ].flatMap(([isWrong, text]) => (isWrong === true ? [text] : []))
  const refused = input.rejection()
  if (refused !== undefined) return { refused }
  if (problems.length > 0)
    return { refused: refuse(422, `Invalid request.\n\n${problems.join('\n')}`) }
  return { ...fields, annotations: annotations.flatMap((one) => one ?? []) }
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function toAnnotation(value: unknown): GithubAnnotation | undefined {
  const of: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(value ?? {}))
  const { path, message, start_line: startLine, end_line: endLine } = of
  const level = levels.find((one) => one === of['annotation_level'])
  const isWhole = typeof path === 'string' && typeof message === 'string' && message !== ''
  if (!isWhole || level === undefined) return undefined
  if (typeof startLine !== 'number' || typeof endLine !== 'number') return undefined
  return { path, message, level, startLine, endLine }
}
