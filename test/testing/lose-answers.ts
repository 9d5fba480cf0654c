import type { Sandbox } from '@signalbox/sandbox'

/** Has Slack post the next `times` messages and lose the answers on the way back. */
export function loseAnswers({ faults }: Sandbox, times: number): void {
  faults.add({
    provider: 'slack',
    request: 'POST /chat.postMessage',
    fault: { kind: 'cut' },
    times,
  })
}
