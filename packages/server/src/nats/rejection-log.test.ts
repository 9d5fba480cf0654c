import { errors } from '@nats-io/transport-node'
import { describe, expect, it } from 'vitest'
import { createRejectionLog } from './rejection-log.ts'

const open = () => {
  let elapsedMs = 0
  const lines: string[] = []
  const rejections = createRejectionLog({
    client: { errors },
    log: {
      warn: (message, fields) =>
        void lines.push(`${message} ${Object.values(fields ?? {}).join(' ')}`),
    },
    elapsedMs: () => elapsedMs,
  })
  const refuse = (subject: string, operation: 'publish' | 'subscription' = 'publish') =>
    rejections.note(
      new errors.PermissionViolationError('Permissions Violation', operation, subject),
    )
  return {
    lines,
    note: (error: Error) => rejections.note(error),
    refuse,
    pass: (ms: number) => void (elapsedMs += ms),
  }
}

describe('what NATS refuses', () => {
  it('is logged once for each beginning of a subject, and again after ten minutes', () => {
    const { lines, refuse, pass } = open()
    for (const name of ['a', 'b', 'c']) refuse(`$JS.API.DIRECT.GET.KV_s.$KV.s.org_1.${name}`)
    expect(lines).toEqual([expect.stringMatching(/nats-user prints publish .*org_1\.a$/)])
    refuse('$JS.API.DIRECT.GET.KV_s.$KV.s.org_2.a')
    refuse('$JS.API.DIRECT.GET.KV_s.$KV.s.org_2.a', 'subscription')
    expect(lines).toHaveLength(3)
    pass(599_999)
    refuse('$JS.API.DIRECT.GET.KV_s.$KV.s.org_1.d')
    expect(lines).toHaveLength(3)
    pass(1)
    refuse('$JS.API.DIRECT.GET.KV_s.$KV.s.org_1.d')
    expect(lines).toHaveLength(4)
  })

  it('is logged by its reason where it names no subject, and stays within a limit of memory', () => {
    const { lines, note, refuse } = open()
    for (let count = 0; count < 3; count += 1) note(new Error('maximum payload'))
    expect(lines).toEqual([expect.stringContaining('maximum payload')])
    for (let count = 0; count < 250; count += 1) refuse(`org_${count}.a`)
    expect(lines).toHaveLength(251)
    refuse('org_0.a')
    expect(lines).toHaveLength(252)
  })
})
