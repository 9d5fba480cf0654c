import { problemTypeBase } from '@signalbox/contract'
import { CliError } from '../terminal/cli-error.ts'
import type { ExitReason } from '../terminal/exit-codes.ts'
import { listRequired } from './requests/describe-request.ts'

/**
 * Describes the members of a problem document that the command line reads. All are optional: the server may be of
 * another version.
 */
export interface ReceivedProblem {
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  readonly instance?: string
  readonly errors?: readonly { readonly pointer?: string; readonly detail?: string }[]
  readonly report?: unknown
  /** Lists the secrets that a schema would publish. */
  readonly exposes?: unknown
  /** Lists the keys whose stored values a schema would bring back. */
  readonly returns?: unknown
  /** Lists the confirmations that protected environments require. */
  readonly requires?: unknown
  /** Holds the body of a request of the change, where people must approve it. */
  readonly request?: unknown
  /** Lists the places of the secrets that the body lacks. */
  readonly omitted?: unknown
  /** Holds the error of an OAuth endpoint (RFC 6749 §5.2), which sends none of the members above. */
  readonly error?: string
  readonly error_description?: string
}

/** Names for people where the server and the token of a call come from: a flag, a variable or a file. */
export interface CallSources {
  readonly server?: string | undefined
  /** Names the variable of the proxy on the way to the server. */
  readonly proxy?: string | undefined
  /** Absent for the token of `login`, which a sign-in replaces. */
  readonly token?: string | undefined
  /** Says that the token is the job's own, which no sign-in replaces. */
  readonly isOfJob?: boolean | undefined
}

/** Describes the request that was refused. */
interface Refused {
  readonly url: string
  readonly serverUrl: string
  readonly sources?: CallSources | undefined
}

/** Signals a rejection of the server, and holds the problem document. */
export class ApiError extends CliError {
  readonly status: number
  readonly problem: ReceivedProblem

  constructor(status: number, problem: ReceivedProblem, { url, serverUrl, sources = {} }: Refused) {
    super(
      reasonOf(status, problem.code),
      problem.code ?? `http_${status}`,
      messageOf(status, problem, url),
      {
        advice: adviceFor(status, problem.code, sources),
        details: [...describeTargets(problem), ...listRequiredBy(problem)],
        docs: problem.code === undefined ? undefined : problemPage(serverUrl, problem.code),
      },
    )
    this.status = status
    this.problem = problem
  }
}

function listRequiredBy({ code, requires }: ReceivedProblem): string[] {
  return code === 'approval_required' ? listRequired(requires) : []
}

/** Returns the section about a problem at the server itself, which has the page also without the internet. */
function problemPage(serverUrl: string, code: string): string {
  const { pathname, hash } = new URL(`${problemTypeBase}${code}`)
  return `${serverUrl}${pathname}${hash}`
}

const reasons: Readonly<Record<number, ExitReason>> = {
  400: 'validation',
  401: 'authentication',
  403: 'authentication',
  409: 'conflict',
  412: 'conflict',
  413: 'validation',
  422: 'validation',
  429: 'unreachable',
  502: 'unreachable',
  503: 'unreachable',
  504: 'unreachable',
}

const reasonsOfCodes: Readonly<Partial<Record<string, ExitReason>>> = {
  breaking_change: 'validation',
  approval_required: 'waiting',
}

function reasonOf(status: number, code: string | undefined): ExitReason {
  return reasonsOfCodes[code ?? ''] ?? reasons[status] ?? 'failure'
}

function messageOf(status: number, problem: ReceivedProblem, url: string): string {
  const { title, detail, instance, errors = [] } = problem
  const [only, second] = errors
  if (only !== undefined)
    return second === undefined ? describeTarget(only) : (title ?? detail ?? '')
  const text = detail ?? title ?? problem.error_description
  if (text === undefined) return `${new URL(url).origin} answered ${status}.`
  return status >= 500 && instance !== undefined ? `${text} (request ${instance})` : text
}

type ErrorTarget = NonNullable<ReceivedProblem['errors']>[number]

/** Returns one line for each violation. A single one is the message itself. */
function describeTargets({ errors = [] }: ReceivedProblem): string[] {
  return errors.length < 2 ? [] : errors.map(describeTarget)
}

/** Maps fields of requests to flags of commands. The detail of a violation in `keys` names the key. */
const flagOfField: Readonly<Record<string, string>> = {
  '/environmentId': '--env',
  '/fromEnvironmentId': '--from',
  '/toEnvironmentId': '--to',
  '/parentId': '--parent',
  '/protection/approvals': '--approvals',
  '/protection/approvers': '--approvers',
  '/include': '--include',
  '/comment': '--comment',
  '?comment': '--comment',
  '/confirm': '--confirm',
  '?confirm': '--confirm',
  '/description': '--description',
  '/name': 'Name',
  '/keyId': '--key',
  '/groupId': '--group',
  '/userId': '--member',
  '/environmentIds': '--environments',
  '/schemaIds': '--schemas',
}

/** Matches the place in the rules of a key: the number of the rule, and the rest. */
const inRules = /^\/changes\/0\/rules\/[^/]+(?:\/(\d+)(?:\/(.+))?)?$/

/** Returns the place of a violation, as it is called here, with the violation. Examples: `timeoutMs: …`, `Rule 2, serve/value: …`. */
export function describeTarget({ pointer = '', detail = '' }: ErrorTarget): string {
  const [isRule, index, part] = inRules.exec(pointer) ?? []
  if (isRule !== undefined) {
    const position = index === undefined ? [] : [`Rule ${Number(index) + 1}`]
    return [[...position, ...(part === undefined ? [] : [part])].join(', '), detail]
      .filter((text) => text !== '')
      .join(': ')
  }
  if (/^\/keys\/\d+$/.test(pointer)) return detail
  const flag = flagOfField[pointer.replace(/\/\d+$/, '')]
  if (flag !== undefined) return `${flag}: ${detail}`
  const name = pointer
    .replace(/^\/(values|schema)\//, '')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  return name === '' ? detail : `${name}: ${detail}`
}

const advice: Readonly<Record<string, string>> = {
  missing_credentials: 'signalbox login',
  invalid_credentials: 'signalbox login',
  expired_credentials: 'The token has expired. Sign in again: signalbox login',
  revoked_credentials: 'The token was revoked. Sign in again: signalbox login',
  key_scope_forbidden:
    'Create a key with access to it under API keys in the dashboard. A key for pushes can be restricted to schemas, but not to environments.',
  step_up_required: 'Sign in again, then repeat the command: signalbox login',
  role_forbidden: 'Ask an admin of the organization for a role or a grant that allows this.',
  revision_mismatch:
    'Somebody else changed it in the meantime. Check the change, then repeat the command: signalbox diff',
  breaking_change: 'To continue anyway, repeat with --force.',
  looks_like_secret:
    'If it is a secret, declare the key in the secret tier, and replace the credential where it has been. If it is none, repeat with --allow-plain.',
  rate_limited: 'Wait a moment, then repeat the command.',
  db_unavailable: 'The server cannot reach its database. See: signalbox doctor',
  starting: 'The server is starting. Repeat in a few seconds.',
  internal: 'The request id is in the server\u2019s log.',
}

function adviceFor(
  status: number,
  code: string | undefined,
  { token, isOfJob = false }: CallSources,
): string | undefined {
  if (status === 401 && isOfJob) return undefined
  if (status === 401 && token !== undefined) return adviceOnToken(token)
  const known = code === undefined ? undefined : advice[code]
  if (status === 401) return known ?? 'signalbox login'
  if (status !== 403 || token === undefined || known === undefined) return known
  return `${known}\nThe command used the token of ${token}, not the one from signalbox login.`
}

/** Returns what to do about a token that wins over the one of `login`, so that a sign-in cannot help. */
function adviceOnToken(source: string): string {
  const [variable = ''] = source.split(' ', 1)
  if (variable.startsWith('--')) return `Pipe another token to ${source}.`
  return [
    `Set ${source} to a valid token. The command uses it instead of the token from signalbox login.`,
    `To use the token from signalbox login: unset ${variable}`,
  ].join('\n')
}
