import { open } from './access.ts'
import { declareEndpoints } from './endpoint.ts'

const declare = declareEndpoints({ tag: 'Test', summary: 'Reads.', access: open })
const read = { method: 'GET', path: '/read', response: { status: 204 } } as const

declare({ read: { ...read, topics: ['deployment'] } })
// @ts-expect-error an endpoint says what makes it stale
declare({ read })
// @ts-expect-error and names no topic that nobody knows
declare({ read: { ...read, topics: ['weather'] } })
