import { describe, expect, it } from 'vitest'
import { NatsUpstreamError } from './nats-upstream-error.ts'
import { describePublication, explainOldServer } from './publication.ts'

describe('publishing to NATS', () => {
  it.each([
    ['2.9.10', true],
    ['2.10.22', true],
    ['v2.10.9', true],
    ['2.10.23', false],
    ['2.10.27-RC.1', false],
    ['2.11.0', false],
    ['3.0.0', false],
    ['1.99.99', true],
    ['built-here', false],
    [undefined, false],
  ])('warns of a server that loses streams, with its version: %s', (serverVersion, isOld) => {
    const advice = `nats-server ${serverVersion} loses streams when its process is killed. Install 2.10.23 or newer.`
    expect(explainOldServer(serverVersion)).toBe(isOld ? advice : undefined)
    const state = { ageSeconds: 1, failure: undefined, serverVersion }
    expect(describePublication(state, 'anybody')).toEqual(
      isOld
        ? { ok: true, detail: advice, warning: true }
        : { ok: true, detail: 'NATS had everything 1 s ago.' },
    )
  })

  it.each(['away', 'silent', 'nobody', 'refused'] as const)(
    'that fails is told for how long and why, with addresses to the operator alone: %s',
    (reason) => {
      const failure = new NatsUpstreamError(reason, 'NATS at nats-1.internal:4222 does not.')
      const state = { ageSeconds: 125, failure, serverVersion: undefined }
      const [open, operator] = (['anybody', 'operator'] as const).map((audience) =>
        describePublication(state, audience),
      )
      expect(operator).toMatchObject({ ok: true, warning: true })
      expect(operator?.detail).toContain('for 125 s: NATS at nats-1.internal:4222 does not.')
      expect(open).toMatchObject({ ok: true, warning: true })
      expect(open?.detail).toMatch(/for 125 s: (NATS|JetStream) /)
      expect(open?.detail).not.toContain('internal')
    },
  )
})
