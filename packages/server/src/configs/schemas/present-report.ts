import type { configSchemaEndpoints as endpoints, ResponseOf } from '@signalbox/contract/rest'
import { readRules } from '../../config-model/constraints/check-rules.ts'
import type { ReturningValue } from './find-returning.ts'
import type { EnvironmentReport } from './report-environments.ts'

type ShownReport = ResponseOf<typeof endpoints.getConfigReport>['report'][number]

/** Returns the report of an environment as answers have it. */
export function presentReport({ returning = [], ...entry }: EnvironmentReport): ShownReport {
  return {
    environment: entry.environment,
    environmentId: entry.environmentId,
    missing: [...entry.missing],
    invalid: [...entry.invalid],
    orphaned: [...entry.orphaned],
    ...(returning.length > 0 && { returning: returning.map(presentReturning) }),
  }
}

function presentReturning({ rules, ...value }: ReturningValue) {
  return rules === undefined ? value : { ...value, rules: readRules(rules) }
}
