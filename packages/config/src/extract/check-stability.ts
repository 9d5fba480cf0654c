import {
  findLimitViolation,
  isConfigValue,
  sameValue,
  standsForNothing,
  typeNouns,
  typeOfValue,
  type ValueType,
} from '@signalbox/contract'
import type { Rejection } from './decide-type.ts'
import type { Findings } from './examine.ts'

async function findDefaultViolation(
  { schema, absence, judge }: Findings,
  type: ValueType,
): Promise<Rejection | undefined> {
  if (absence.kind !== 'default') return undefined
  const { value } = absence
  if (standsForNothing(value)) {
    return {
      detail: 'has a default that means no value: a text that programs write for a missing one',
      fixes: ['give another default', 'remove the default, and the key is required'],
    }
  }
  if (
    !isConfigValue(value) ||
    typeOfValue(value) !== type ||
    !Number.isFinite(Number(value) || 0)
  ) {
    return {
      detail: `has a default that is not ${typeNouns[type]}`,
      fixes: [`give ${typeNouns[type]} as the default`],
    }
  }
  const limit = findLimitViolation(value)
  if (limit !== undefined)
    return { detail: 'has a default that the server refuses', fixes: [limit.detail] }
  const [again] = await judge(schema, [value])
  if (again?.accepted && sameValue(again.value, value)) return undefined
  return {
    detail: 'has a default that its validator would refuse or change',
    fixes: ['give a default that is valid'],
  }
}

/**
 * Checks that the values that a validator produces stay the same when they are validated again. It can only try
 * samples, so it finds transformations and does not prove their absence.
 */
export async function findInstability(
  findings: Findings,
  type: ValueType,
): Promise<Rejection | undefined> {
  const violation = await findDefaultViolation(findings, type)
  if (violation) return violation
  const changed = findings.trials.flatMap(({ sample, outcome }) =>
    typeOfValue(sample) === type && outcome.accepted && !sameValue(outcome.value, sample)
      ? [outcome.value]
      : [],
  )
  if (changed.length === 0) return undefined
  const again = await findings.judge(findings.schema, changed)
  const isStable = again.every(
    (each, index) =>
      each.accepted && sameValue(each.value, changed[index]) && typeOfValue(each.value) === type,
  )
  if (isStable) return undefined
  return {
    detail: 'changes a value each time it validates it, but the server stores the result',
    fixes: ['validate the value without transforming it'],
  }
}
