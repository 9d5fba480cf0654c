import { describe, expect, it } from 'vitest'
import { parseChange } from './change-stream.ts'

describe('a change', () => {
  it('names a topic', () => {
    expect(parseChange('{"topic":"deployment","id":"dep_1"}')).toEqual({ topic: 'deployment' })
  })

  it.each(['', '{', 'null', '[]', '{"topic":7}'])('is nothing when it is %j', (data) =>
    expect(parseChange(data)).toBeUndefined(),
  )
})
