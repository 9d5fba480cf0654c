import { expect, it } from 'vitest'
import { queueNames } from '../jobs/queue-names.ts'
import { queues } from '../app.ts'

it('opens every queue that has a name, once', () => {
  expect(queues.map(({ name }) => name).toSorted()).toEqual([...queueNames])
})
