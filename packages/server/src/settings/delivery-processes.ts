import { availableParallelism } from 'node:os'

/** Lists the systems that spread the connections of a port over the processes that listen on it. */
const systemsThatSpread: ReadonlySet<string> = new Set(['linux', 'freebsd'])

/** Describes who asks for processes. */
export interface ProcessNeeds {
  readonly roles: ReadonlySet<string>
  /** Default: those of this machine. */
  readonly cores?: number
  /** Default: this one. */
  readonly platform?: string
}

const name = 'SIGNALBOX_DELIVERY_PROCESSES'

/** Reads how many processes deliver: `auto` is one for each core that this one may use. A violation says why there is only one. */
export function readDeliveryProcesses(
  texts: ReadonlyMap<string, string>,
  { roles, cores = availableParallelism(), platform = process.platform }: ProcessNeeds,
  violations: string[],
): number {
  const text = texts.get(name) ?? '1'
  if (text === '1') return 1
  if (text !== 'auto' && !/^[1-9]\d?$/.test(text)) {
    violations.push(`${name} must be "auto" or a number from 1 to 99.`)
    return 1
  }
  if (!deliversOnly(roles)) {
    violations.push(
      `${name} needs SIGNALBOX_ROLES=delivery or relay: start the delivery as a program of its own beside the API.`,
    )
    return 1
  }
  if (systemsThatSpread.has(platform)) return text === 'auto' ? cores : Number(text)
  if (text !== 'auto') violations.push(`${name} needs Linux or FreeBSD, or 1.`)
  return 1
}

function deliversOnly(roles: ReadonlySet<string>): boolean {
  return roles.size === 1 && (roles.has('delivery') || roles.has('relay'))
}
