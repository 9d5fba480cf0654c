import { CliError } from '../../terminal/cli-error.ts'
import { isRecord } from '../../project/json.ts'
import type { Call } from '../http.ts'
import { ApiError } from '../problem-error.ts'
import { ChangesRequested } from './changes-requested.ts'
import { type RequestBody, type RequestTerms, toMembers } from './terms.ts'

/** Describes the calls of one server: those that a server may answer with a request, and the others. */
interface Calls {
  /** Prefers a request of a change to its refusal. */
  readonly asking: Call
  readonly plain: Call
}

/**
 * Returns the calls of a command that asks for a change where people must approve it. The server makes the request of the write
 * itself. One with a title, a reason or a time of its own is made of what the server refused.
 */
export function askWhereRefused({ asking, plain }: Calls, terms: RequestTerms): Call {
  const members = toMembers(terms)
  if (Object.keys(members).length === 0) return asking
  return async (operation, input) => {
    try {
      return await plain(operation, input)
    } catch (error) {
      const refused = readRejection(error)
      if (refused === undefined) throw error
      const orgId: unknown = Reflect.get(Object(input?.params), 'org_id')
      const body = { ...fillOmitted(refused, input?.body), ...members }
      throw new ChangesRequested([
        await plain('createChangeRequest', { params: { org_id: String(orgId) }, body }),
      ])
    }
  }
}

interface Rejection {
  /** Holds the body of a request, with null in the place of each secret. */
  readonly request: RequestBody
  readonly omitted: readonly string[]
}

function readRejection(error: unknown): Rejection | undefined {
  if (!(error instanceof ApiError) || error.code !== 'approval_required') return undefined
  const { request, omitted } = error.problem
  if (!isRecord(request) || !isRecord(request['operation'])) return undefined
  const pointers = Array.isArray(omitted) ? omitted.map(String) : []
  // The server has made the body, and checks it again.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { request: structuredClone(request) as unknown as RequestBody, omitted: pointers }
}

/** Fills in the secrets that no answer repeats, from what the command has sent. */
function fillOmitted({ request, omitted }: Rejection, sent: unknown): RequestBody {
  for (const pointer of omitted) {
    const path = toPath(pointer)
    const key = path.at(-1) ?? ''
    const holder = read(request, path.slice(0, -1)) ?? read(request.operation, path.slice(0, -1))
    const inBody = path.slice(path.indexOf('body') + 1)
    // A write of values names them by their keys, and the request by their environments and keys.
    const value = read(sent, inBody) ?? read(sent, ['values', key])
    if (!isObject(holder) || value === undefined) throw notFilled(key)
    Reflect.set(holder, key, value)
  }
  return request
}

function toPath(pointer: string): string[] {
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function read(from: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (isObject(at) && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined),
    from,
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function notFilled(key: string): CliError {
  const message = `The server asks for the secret ${key}, which this command has not sent.`
  return new CliError('failure', 'secret_not_sent', message, {
    advice: 'Repeat the command with --request alone, without --title, --reason and --at.',
  })
}
