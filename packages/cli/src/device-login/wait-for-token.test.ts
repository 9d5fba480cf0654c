import { describe, expect, it } from 'vitest'
import { CliError } from '../terminal/cli-error.ts'
import type { DeviceAnswer } from './ask-device.ts'
import { waitForToken } from './wait-for-token.ts'

const unreachable = new CliError('unreachable', 'unreachable', 'Cannot reach it.')
const code = { deviceCode: 'code', intervalSeconds: 5, lifetimeSeconds: 600 }

/** Lets a server answer in turn, and notes how long was waited before each question. */
async function run(answers: readonly DeviceAnswer[], last: DeviceAnswer = { outcome: 'pending' }) {
  const waitedSeconds: number[] = []
  let nowMs = 0
  let asked = 0
  const ended = await waitForToken({
    server: { ask: async () => answers[asked++] ?? last },
    code,
    sleep: async (ms) => {
      waitedSeconds.push(ms / 1000)
      nowMs += ms
    },
    nowMs: () => nowMs,
  }).catch((error: unknown) => error)
  return { ended, waitedSeconds }
}

describe('waitForToken (RFC 8628 §3.5)', () => {
  it('waits the interval before each question', async () => {
    const { ended, waitedSeconds } = await run([
      { outcome: 'pending' },
      { outcome: 'pending' },
      { outcome: 'token', token: 'sbx_pat_x' },
    ])
    expect(ended).toBe('sbx_pat_x')
    expect(waitedSeconds).toEqual([5, 5, 5])
  })

  it('waits five seconds longer from then on, each time that it is told to slow down', async () => {
    const { waitedSeconds } = await run([
      { outcome: 'slow_down' },
      { outcome: 'pending' },
      { outcome: 'slow_down' },
      { outcome: 'token', token: 't' },
    ])
    expect(waitedSeconds).toEqual([5, 10, 10, 15])
  })

  it('goes on, more slowly, when the server cannot be reached for a moment', async () => {
    const { ended, waitedSeconds } = await run([
      { outcome: 'failed', error: unreachable },
      { outcome: 'pending' },
      { outcome: 'token', token: 't' },
    ])
    expect(ended).toBe('t')
    expect(waitedSeconds).toEqual([5, 10, 10])
  })

  it.each([
    ['denied', 'login_denied'],
    ['expired', 'login_expired'],
  ] as const)('ends at once when it is %s', async (outcome, reason) => {
    const { ended, waitedSeconds } = await run([{ outcome }])
    expect(ended).toMatchObject({ reason: 'authentication', code: reason })
    expect(waitedSeconds).toHaveLength(1)
  })

  it('ends by itself once the code is no good any more, and says what stood in the way', async () => {
    const pending = await run([])
    expect(pending.ended).toMatchObject({ code: 'login_expired' })
    expect(pending.waitedSeconds).toHaveLength(120)
    expect((await run([], { outcome: 'failed', error: unreachable })).ended).toBe(unreachable)
  })
})
