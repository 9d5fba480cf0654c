import { describe, expect, it } from 'vitest'
import { defaultRateLimits } from '../../http/admission/rate-classes.ts'
import { createRateLimiter } from '../../http/admission/rate-limit.ts'
import { createStreamAdmission } from './stream-admission.ts'

function open() {
  const clock = { ms: 1_000_000 }
  const admit = createStreamAdmission({
    limiter: createRateLimiter(defaultRateLimits, () => clock.ms),
    recordRateLimited() {},
  })
  const countAdmitted = (subjects: readonly string[]) => {
    let admitted = 0
    for (const subject of subjects) {
      try {
        admit(subject)
        admitted += 1
      } catch {
        // Counted by what is left.
      }
    }
    return admitted
  }
  return { clock, countAdmitted }
}

const each = (count: number, render: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => render(at))

describe('openings of streams', () => {
  it('are counted for a key and an address, twenty and then two a second', () => {
    const { clock, countAdmitted } = open()
    expect(countAdmitted(each(100, () => 'one'))).toBe(20)
    expect(countAdmitted(each(100, () => 'other'))).toBe(20)
    clock.ms += 1_000
    expect(countAdmitted(each(100, () => 'one'))).toBe(2)
  })

  it('refused for one key take nothing from the node', () => {
    const { countAdmitted } = open()
    countAdmitted(each(1_000, () => 'one'))
    expect(countAdmitted(each(1_000, (at) => `other ${at}`))).toBe(180)
  })

  it('refused by the node take nothing from the key', () => {
    const { clock, countAdmitted } = open()
    countAdmitted(each(1_000, (at) => `other ${at}`))
    expect(countAdmitted(each(100, () => 'one'))).toBe(0)
    clock.ms += 1_000
    expect(countAdmitted(each(100, () => 'one'))).toBe(20)
  })
})
