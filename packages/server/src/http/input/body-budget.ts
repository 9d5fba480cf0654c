import { Problem } from '@signalbox/contract'
import { addressSubject } from '../admission/client-address.ts'

/** Limits the bytes of bodies whose senders are not known yet. */
export interface BodyBudgetLimits {
  /** Limits the bytes of all of them together. */
  readonly totalBytes: number
  /** Limits the bytes of one address, beside the largest of its bodies. */
  readonly addressBytes: number
}

const mib = 1024 * 1024

/**
 * Allows 64 MiB in all, and 8 MiB for each address beside its largest body. A webhook may have 25 MiB, so it could never
 * arrive if the 8 MiB included it.
 */
const defaultBodyBudget: BodyBudgetLimits = { totalBytes: 64 * mib, addressBytes: 8 * mib }

/** Estimates what Node keeps for each chunk beside its bytes. A body may come in chunks of one byte. */
const chunkBytes = 256

/** Describes a body that is being read and takes its part of the budget. */
export interface HeldBody {
  /** Takes the budget of one more chunk. Returns the rejection when the body has to give way. */
  hold(bytes: number): Problem | undefined
  /** Returns everything to the budget. May be called again. */
  release(): void
}

/** Limits the memory that everybody together can take with bodies before anybody knows who sends them. */
export interface BodyBudget {
  /** Begins the body of a sender. `giveWay` is called when it has to make room for a smaller one. */
  open(address: string, giveWay: (rejection: Problem) => void): HeldBody
}

interface Body {
  readonly holder: Holder
  readonly giveWay: (rejection: Problem) => void
  bytes: number
}

/** Holds what one address sends at the moment. */
interface Holder {
  readonly subject: string
  readonly bodies: Set<Body>
  bytes: number
}

/**
 * Creates a budget. When it is used up, the largest body of the address that holds most gives way to a smaller one of
 * an address that holds less. So nobody keeps a small body out with large ones, and a body that holds nothing takes no
 * place.
 */
export function createBodyBudget(limits: BodyBudgetLimits = defaultBodyBudget): BodyBudget {
  const holders = new Map<string, Holder>()
  let total = 0
  const release = (body: Body) => {
    const { holder } = body
    if (!holder.bodies.delete(body)) return
    holder.bytes -= body.bytes
    total -= body.bytes
    if (holder.bodies.size === 0) holders.delete(holder.subject)
  }
  const cut = (body: Body) => {
    release(body)
    body.giveWay(budgetIsSpent())
  }
  const fitsAddress = (body: Body) => {
    const { holder } = body
    while (holder.bytes > limits.addressBytes) {
      const [largest, next] = findLargest(holder.bodies)
      if (next === undefined || holder.bytes - largest.bytes <= limits.addressBytes) return true
      if (next.bytes <= body.bytes) return false
      cut(next)
    }
    return true
  }
  const fitsNode = ({ holder }: Body) => {
    while (total > limits.totalBytes) {
      const most = findMost(holders.values())
      if (most.bytes <= holder.bytes) return false
      cut(findLargest(most.bodies)[0])
    }
    return true
  }
  return {
    open(address, giveWay) {
      const subject = addressSubject(address)
      const holder = holders.get(subject) ?? { subject, bodies: new Set<Body>(), bytes: 0 }
      holders.set(subject, holder)
      const body: Body = { holder, giveWay, bytes: 0 }
      holder.bodies.add(body)
      return {
        hold(bytes) {
          if (!holder.bodies.has(body)) return budgetIsSpent()
          const added = bytes + chunkBytes
          body.bytes += added
          holder.bytes += added
          total += added
          if (fitsAddress(body) && fitsNode(body)) return undefined
          release(body)
          return budgetIsSpent()
        },
        release: () => release(body),
      }
    },
  }
}

/** Returns the two largest bodies of an address. An address has at least one. */
function findLargest(bodies: Iterable<Body>): readonly [Body, Body?] {
  let largest: Body | undefined
  let next: Body | undefined
  for (const body of bodies) {
    if (largest === undefined || body.bytes > largest.bytes) [largest, next] = [body, largest]
    else if (next === undefined || body.bytes > next.bytes) next = body
  }
  if (largest === undefined)
    throw new Error('An address without bodies holds no part of the budget')
  return next === undefined ? [largest] : [largest, next]
}

/** Returns the address that holds most. */
function findMost(holders: Iterable<Holder>): Holder {
  let most: Holder | undefined
  for (const holder of holders) {
    if (most === undefined || holder.bytes > most.bytes) most = holder
  }
  if (most === undefined) throw new Error('The budget is used up by nobody')
  return most
}

function budgetIsSpent(): Problem {
  const detail = 'This node has reached its limit for bodies from unknown senders. Send it again.'
  return new Problem('overloaded', detail, { retryAfterSeconds: 5 })
}
