import { cutText, Problem } from '@signalbox/contract'
import type { RequestedOperation } from '@signalbox/contract/rest'
import { AnsweredInstead } from '../../http/answers/answered-instead.ts'
import type { Router } from '../../http/router.ts'
import { toCaller } from '../to-caller.ts'
import { presentRequest, type Viewer } from './present-request.ts'
import type { RequestDeps } from './request-deps.ts'
import { toOperation, type WrittenRequest } from './to-operation.ts'
import { createRequest, redactOperation } from './write-request.ts'

type Authorized = Parameters<typeof toCaller>[0]

/** Holds the actor and the parts of a write. */
interface Write extends WrittenRequest, Authorized {
  readonly role: Viewer['role']
  readonly header: (name: string) => string | undefined
  readonly authorizeReveal: () => void
}

/**
 * Returns a router whose writes answer what needs approvals with the request to make, or with `Prefer: respond-async` with the
 * request that it has made (RFC 7240 §4.1).
 */
export function askingRouter(router: Router, deps: RequestDeps): Router {
  const asking: Router = {
    ...router,
    addPage(endpoint, handler) {
      router.addPage(endpoint, handler)
      return asking
    },
    add(
      endpoint: { readonly operationId: string },
      handler: { handle: (request: never) => Promise<unknown> },
    ) {
      const handle = async (request: never) => {
        try {
          return await handler.handle(request)
        } catch (error) {
          if (!(error instanceof Problem) || error.code !== 'approval_required') throw error
          throw await askInstead(deps, endpoint.operationId, request, error)
        }
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same endpoint, whose handler answers the same
      ;(router.add as (endpoint: unknown, handler: unknown) => Router)(endpoint, {
        ...handler,
        handle,
      })
      return asking
    },
  }
  return asking
}

async function askInstead(
  deps: RequestDeps,
  operationId: string,
  write: Write,
  problem: Problem,
): Promise<Error> {
  const caller = toCaller(write)
  const { orgId } = caller
  const { idempotency: _key, ...scope } = caller.scope
  const made = await deps.store.transaction(scope, async (tx) => {
    const operation = await toOperation(tx, orgId, operationId, write)
    return operation && { operation, redacted: await redactOperation(tx, orgId, operation) }
  })
  if (made === undefined) return problem
  const title = describeChange(problem)
  if (!prefersAsync(write.header('prefer'))) {
    const { operation, omitted } = made.redacted
    const extensions = { ...problem.extensions, request: { title, operation }, omitted }
    return new Problem(problem.code, problem.message, { extensions })
  }
  const whole = await createRequest(
    deps,
    { ...caller, scope },
    {
      title,
      operation: made.operation satisfies RequestedOperation,
      authorizeReveal: write.authorizeReveal,
    },
  )
  const body = presentRequest(whole, { caller, actor: write.actor, role: write.role })
  return new AnsweredInstead(
    202,
    {
      Location: `/organizations/${orgId}/change-requests/${body.id}`,
      'Preference-Applied': 'respond-async',
    },
    body,
  )
}

function prefersAsync(header: string | undefined): boolean {
  const names = (header ?? '').split(',').map((each) => each.split(';')[0]?.trim().toLowerCase())
  return names.includes('respond-async')
}

/** Returns a title for a change that nobody has named: `Change apiUrl and 2 more in production`. */
function describeChange({ extensions }: Problem): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `requireNoApproval` has made it
  const requires = (extensions['requires'] ?? []) as readonly {
    readonly environment: string
    readonly reasons: readonly string[]
  }[]
  const [first = 'the environment', ...more] = new Set(requires.flatMap(({ reasons }) => reasons))
  const what = more.length === 0 ? first : `${first} and ${more.length} more`
  const names = requires.map(({ environment }) => environment)
  return cutText(`Change ${what} in ${names.slice(0, 3).join(', ')}`, 200)
}
