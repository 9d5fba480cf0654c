import { declareEndpoints } from '@signalbox/contract/rest'
import type { Router } from '../../http/router.ts'

/** Stand in for what only whoever runs the server may do. */
export const operatorEndpoints = Object.values(
  declareEndpoints({
    path: '/server',
    tag: 'Server',
    summary: 'Something of the server.',
    access: { kind: 'operator' },
    response: { status: 204 },
    topics: [],
  })({ getServer: { method: 'GET' }, putServer: { method: 'PUT' } }),
)

/** Mounts `GET` and `PUT /server`. */
export function mountOperatorEndpoints(router: Router): void {
  for (const each of operatorEndpoints) router.add(each, { handle: async () => undefined })
}
