import { setTimeout as delay } from 'node:timers/promises'
import type { DayWorld, EdgeNode } from './day-world.ts'

/** Names what is done to an installation. */
const dayFaults = [
  'kill a node of the API',
  'kill a delivery node',
  'kill a nats-server',
  'freeze a nats-server',
  'lose the disk of a nats-server',
  'cut the links of a delivery node',
  'cut the sessions of the database',
  'lose the primary of the database',
  'put an old mark back',
] as const

/** Lists those of a longer day only: a node that starts without NATS waits ten seconds for it. */
const longDayFaults = [...dayFaults, 'start a delivery node without NATS'] as const

/** Names one of them. */
export type DayFault = (typeof longDayFaults)[number]

/** Describes one step of a plan: what is done, to which of its kind, and for how long. */
export interface DayStep {
  readonly fault: DayFault
  /** Chooses among those of its kind. */
  readonly which: number
  readonly forMs: number
}

/** Makes a plan out of a seed: every fault once in each round, in another order each time. */
export function planDay(seed: number, rounds: number): DayStep[] {
  const draw = createDraw(seed)
  const faults: readonly DayFault[] = rounds > 1 ? longDayFaults : dayFaults
  return Array.from({ length: rounds }, () =>
    faults
      .map((fault) => ({ fault, which: draw(), forMs: 400 + Math.floor(draw() * 800), at: draw() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ fault, which, forMs }) => ({ fault, which, forMs })),
  ).flat()
}

/** Draws numbers from 0 to 1 in an order that the seed decides (mulberry32). */
function createDraw(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Kind = 'api' | 'delivery' | 'nats' | 'database'

const kindOf: Readonly<Record<DayFault, Kind>> = {
  'kill a node of the API': 'api',
  'kill a delivery node': 'delivery',
  'start a delivery node without NATS': 'delivery',
  'kill a nats-server': 'nats',
  'freeze a nats-server': 'nats',
  'lose the disk of a nats-server': 'nats',
  'cut the links of a delivery node': 'delivery',
  'cut the sessions of the database': 'database',
  'lose the primary of the database': 'database',
  'put an old mark back': 'nats',
}

/** Does the steps in their order. Returns once everything is back. */
export async function runDay(world: DayWorld, steps: readonly DayStep[]): Promise<void> {
  const comingBack = new Map<Kind, Promise<void>>()
  for (const step of steps) {
    const kind = kindOf[step.fault]
    await comingBack.get(kind)
    const undo = doStep(world, step)
    await delay(step.forMs)
    const back = undo.then((comeBack) => comeBack())
    back.catch(() => undefined)
    comingBack.set(kind, back)
  }
  await Promise.all(comingBack.values())
}

/** Does a step, and returns what undoes it. */
async function doStep(
  { shop, database, cluster, edges, marks }: DayWorld,
  { fault, which }: DayStep,
): Promise<() => Promise<void> | void> {
  const pick = <T>(all: readonly T[]): T => {
    const picked = all[Math.floor(which * all.length)]
    if (picked === undefined) throw new Error('There is nothing to choose from')
    return picked
  }
  switch (fault) {
    case 'kill a node of the API':
    case 'kill a delivery node': {
      const node = pick<Pick<EdgeNode, 'kill' | 'start'>>(
        fault === 'kill a delivery node' ? edges : shop.nodes,
      )
      await node.kill()
      return () => node.start()
    }
    case 'start a delivery node without NATS': {
      const edge = pick(edges)
      await edge.kill()
      edge.cut(true)
      return async () => {
        await edge.start()
        // Reads what it serves from its disk, at least a few times.
        await delay(500)
        edge.cut(false)
      }
    }
    case 'kill a nats-server':
    case 'lose the disk of a nats-server': {
      const member = pick(cluster.members)
      await member.kill()
      return async () => {
        await member.start(fault === 'lose the disk of a nats-server')
        await cluster.recover()
      }
    }
    case 'freeze a nats-server': {
      const member = pick(cluster.members)
      member.freeze(true)
      return () => member.freeze(false)
    }
    case 'cut the links of a delivery node': {
      const edge = pick(edges)
      edge.cut(true)
      return () => edge.cut(false)
    }
    case 'cut the sessions of the database':
      await shop.asOwner(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      )
      return () => {}
    case 'lose the primary of the database':
      return database.failOver(pick(['killed', 'frozen']))
    case 'put an old mark back':
      return marks.putBack()
    default:
      return fault satisfies never
  }
}
