import { parseDocument } from 'yaml'
import type { Finding } from '../architecture/source-files.ts'
import type { MarkdownFile } from './markdown-files.ts'

/** Describes the parts of a GitHub workflow that the rules read. */
export interface Workflow {
  readonly permissions?: Permissions
  readonly jobs: Readonly<Record<string, WorkflowJob>>
}

type Permissions = Readonly<Record<string, string>> | string

interface WorkflowJob {
  readonly uses?: string
  readonly permissions?: Permissions
  readonly 'runs-on'?: string
  readonly 'timeout-minutes'?: number
  readonly steps?: readonly WorkflowStep[]
}

interface WorkflowStep {
  readonly uses?: string
  readonly run?: string
}

/** Returns the faults of a YAML file: syntax, duplicate keys, unknown tags. */
export function yamlFaults({ path, text }: MarkdownFile): Finding[] {
  const { errors, warnings } = parseDocument(text, { strict: true, uniqueKeys: true })
  return [...errors, ...warnings].map((fault) => ({
    path,
    line: fault.linePos?.[0].line ?? 1,
    detail: fault.message.split('\n')[0] ?? fault.code,
  }))
}

/** Parses a workflow, which `yamlFaults` has judged before. */
export function parseWorkflow({ text }: MarkdownFile): Workflow {
  return parseDocument(text).toJS() as Workflow
}

/** Returns what makes a workflow dangerous, or its result depend on the day on which it runs. */
export function workflowFaults(file: MarkdownFile): Finding[] {
  const { permissions, jobs } = parseWorkflow(file)
  const finding = (detail: string): Finding => ({ path: file.path, line: 1, detail })
  return [
    ...(JSON.stringify(permissions) === '{"contents":"read"}'
      ? []
      : [finding('does not begin with permissions that only read the contents')]),
    ...(/secrets\./.test(file.text) ? [finding('reads a stored secret')] : []),
    ...Object.entries(jobs).flatMap(([name, job]) => [
      ...jobFaults(job).map((detail) => finding(`job ${name} ${detail}`)),
      ...(job.steps ?? []).flatMap(runFaults).map((detail) => finding(`job ${name} ${detail}`)),
    ]),
    ...unpinnedActions(file),
  ]
}

function jobFaults(job: WorkflowJob): string[] {
  if (job.uses !== undefined) return []
  return [
    ...(job['timeout-minutes'] === undefined ? ['has no timeout-minutes'] : []),
    ...(/\d/.test(job['runs-on'] ?? '') ? [] : ['names no version of its runner']),
    ...(typeof job.permissions === 'string' ? [`has the permissions ${job.permissions}`] : []),
  ]
}

/** An expression inside a script is text of others that becomes a command; variables are not. */
function runFaults({ run = '' }: WorkflowStep): string[] {
  return [
    ...(run.includes('${{') ? ['writes an expression into a script'] : []),
    ...(/\bset -[a-z]*x|\b(?:echo|printf|printenv|env)\b[^|\n]*TOKEN/.test(run)
      ? ['prints a secret']
      : []),
  ]
}

function unpinnedActions({ path, text }: MarkdownFile): Finding[] {
  return text.split('\n').flatMap((line, index) => {
    const [, used] = /\buses:\s*(\S.*)$/.exec(line) ?? []
    if (used === undefined || used.startsWith('./')) return []
    if (/^\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used)) return []
    return [{ path, line: index + 1, detail: `${used} is not a commit with its version beside it` }]
  })
}
