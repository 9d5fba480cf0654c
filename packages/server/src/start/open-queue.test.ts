import { expect, it } from 'vitest'
import { queueNames } from '../jobs/queue-names.ts'
import { queues } from './open-queue.ts'

it('opens every queue that has a name, once', () => {
  expect(queues.map(({ name }) => name).toSorted()).toEqual([...queueNames])
})
