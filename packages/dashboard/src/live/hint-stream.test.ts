import { describe, expect, it } from 'vitest'
import { toHint } from './hint-stream.ts'

describe('a hint', () => {
  it('names a topic', () => {
    expect(toHint('{"topic":"deployment","id":"dep_1"}')).toEqual({ topic: 'deployment' })
  })

  it.each(['', '{', 'null', '[]', '{"topic":7}'])('is nothing when it is %j', (data) =>
    expect(toHint(data)).toBeUndefined(),
  )
})
