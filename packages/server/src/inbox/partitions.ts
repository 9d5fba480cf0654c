import { leastId } from '../crypto/ids.ts'
import type { PartitionPlan } from '../store/partitions.ts'
import { findOldestUnseen } from './rows.ts'
import { dayMs } from '../store/retention-rule.ts'

const weekMs = 7 * dayMs
const weeksAhead = 8
/** The first Monday of time as JavaScript counts it. */
const firstMondayMs = 4 * dayMs

/** Limits how old webhooks become. A week of them is dropped when its last is so old, so the first is a week older by then. */
export const webhooksKeptMs = 30 * dayMs

/**
 * Returns the partitions of webhooks: this week, and so many weeks ahead that a service without retention goes on for two months.
 * The believed time decides which weeks are over. A webhook that no worker has seen yet keeps its week, and those after it.
 */
export function webhookPartitions(now: Date, believed?: Date): PartitionPlan {
  const week = beginOfWeek(now).getTime()
  const weeks = Array.from({ length: 1 + weeksAhead }, (_, ahead) => week + ahead * weekMs)
  return {
    table: 'received_webhooks',
    periods: weeks.map((begins) => ({ begins: new Date(begins), ends: new Date(begins + weekMs) })),
    dropBefore: believed && new Date(believed.getTime() - webhooksKeptMs),
    findOldestNeeded: findOldestUnseen,
    boundOf: (moment) => leastId('dlv', moment),
  }
}

/** Returns the last Monday, at midnight of UTC. */
export function beginOfWeek(moment: Date): Date {
  const sinceMonday = (moment.getTime() - firstMondayMs) % weekMs
  return new Date(moment.getTime() - sinceMonday)
}
