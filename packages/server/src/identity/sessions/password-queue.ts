import { availableParallelism } from 'node:os'
import { Problem } from '@signalbox/contract'

/**
 * Bounds the checks of passwords of this node: each takes 32 MiB and a core for some 60 ms, and anybody may cause one. Without a
 * bound strangers queue up before everybody who signs in.
 */
export interface PasswordQueue {
  /**
   * Runs a check once there is a place. `isKnown`: the account was signed in to from this network lately.
   *
   * @throws {Problem} `overloaded` when too many wait already
   */
  run<T>(isKnown: boolean, check: () => Promise<T>): Promise<T>
}

/** Says how long the queue may get. */
interface QueueSize {
  /** Default: one for each core, and a thread of the pool of four stays free for files and names. */
  readonly atOnce?: number
  /** Limits the queue of strangers and that of known networks, each. Default: what takes about half a second. */
  readonly waiting?: number
}

/** Opens the queue. Half of the places are for known networks, which also go first. */
export function createPasswordQueue({
  atOnce = Math.min(availableParallelism(), 3),
  waiting = 8 * atOnce,
}: QueueSize = {}): PasswordQueue {
  const [known, strangers]: [(() => void)[], (() => void)[]] = [[], []]
  let running = 0
  const enter = async (isKnown: boolean): Promise<void> => {
    if (running < atOnce) {
      running += 1
      return
    }
    const line = isKnown ? known : strangers
    if (line.length >= waiting) throw tooMany()
    // A check that ends hands over its turn, so that `running` stays.
    await new Promise<void>((resolve) => line.push(resolve))
  }
  const leave = () => {
    const next = known.shift() ?? strangers.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return {
    async run(isKnown, check) {
      await enter(isKnown)
      try {
        return await check()
      } finally {
        leave()
      }
    },
  }
}

function tooMany(): Problem {
  const detail = 'Too many people are signing in. Try again in a few seconds.'
  return new Problem('overloaded', detail, { retryAfterSeconds: 5 })
}
