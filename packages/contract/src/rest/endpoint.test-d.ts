import { open } from './access.ts'
import { endpoint } from './endpoint.ts'

const read = {
  operationId: 'read',
  method: 'GET',
  path: '/read',
  tag: 'Test',
  summary: 'Reads.',
  access: open,
  response: { status: 204 },
  problems: [],
} as const

endpoint({ ...read, topics: ['deployment'] })
// @ts-expect-error an endpoint says what makes it stale
endpoint(read)
// @ts-expect-error and names no topic that nobody knows
endpoint({ ...read, topics: ['weather'] })
