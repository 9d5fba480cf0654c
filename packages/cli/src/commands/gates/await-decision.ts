import { setTimeout as delay } from 'node:timers/promises'
import type { BodyOf, endpoints } from '@signalbox/contract/rest'
import { ApiError } from '../../api/problem-error.ts'
import type { Sender } from '../../pipeline/open-pipeline.ts'
import { CliError } from '../../terminal/cli-error.ts'
import type { GateDecision } from './describe-decision.ts'

/** Describes the question of a deployment. */
export type GateQuestion = BodyOf<(typeof endpoints)['askGate']>

/** Describes how long a deployment asks, and what becomes of it while nobody answers. */
export interface Patience {
  /** Finds the server and the organization, which takes an answer of the server too. */
  readonly open: () => Promise<Sender>
  readonly question: GateQuestion
  /** Holds the moment in milliseconds after which nobody asks any more. */
  readonly deadline: number
  /** Lets a deployment go on that has had no answer at all for so long. `undefined`: it never does. */
  readonly passAfterMs: number | undefined
  /** Called with each answer. */
  readonly onAnswer: (answer: GateAnswer) => void
  /** Called when the server stops answering. */
  readonly onAway: (error: CliError) => void
}

/** Describes a decision, and who has it. */
export interface GateAnswer {
  readonly decision: GateDecision
  readonly sender: Sender
}

const pauseMs = 5_000

/**
 * Asks until the deployment no longer waits, or until the deadline, and returns the last answer. `undefined`: there was none, and the
 * deployment is to go on without one. Once the server has answered that it waits, its absence lets nothing go on.
 *
 * @throws {CliError} the server's rejections, and `unreachable` where it does not answer at the deadline
 */
export async function awaitDecision({
  open,
  question,
  deadline,
  passAfterMs,
  onAnswer,
  onAway,
}: Patience): Promise<GateAnswer | undefined> {
  const since = Date.now()
  let sender: Sender | undefined
  let last: GateAnswer | undefined
  let isAway = false
  const send = async () => {
    sender ??= await open()
    const input = { params: { org_id: sender.orgRef }, body: question }
    const api = await sender.api()
    return { sender, decision: await api.callPlainly('askGate', input) }
  }
  for (;;) {
    const answer = await orAway(send)
    if ('decision' in answer) {
      isAway = false
      last = answer
      onAnswer(answer)
      if (answer.decision.state !== 'waiting') return answer
    } else {
      if (!isAway) onAway(answer.error)
      isAway = true
      const mayPass = last === undefined && passAfterMs !== undefined
      if (mayPass && Date.now() - since >= passAfterMs) return undefined
    }
    const leftMs = deadline - Date.now()
    if (leftMs <= 0) {
      if ('error' in answer) throw answer.error
      return answer
    }
    await delay(Math.min(pauseMs, leftMs))
  }
}

/** Returns the answer, or the error of a server that cannot answer now. */
async function orAway(
  send: () => Promise<GateAnswer>,
): Promise<GateAnswer | { readonly error: CliError }> {
  try {
    return await send()
  } catch (error) {
    const isBroken = error instanceof ApiError && error.status >= 500
    if (error instanceof CliError && (isBroken || error.reason === 'unreachable')) return { error }
    throw error
  }
}
