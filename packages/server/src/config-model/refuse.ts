import { Problem, type ProblemCode, type ProblemLocation } from '@signalbox/contract'

/** Returns one problem for all violations. It has their code when all have the same one, else `validation_failed`. */
export function refuseViolations(violations: readonly ProblemLocation[]): Problem {
  const codes = new Set(violations.map(({ code }) => code))
  const [only] = codes
  const code: ProblemCode = only !== undefined && codes.size === 1 ? only : 'validation_failed'
  const [first] = violations
  const detail =
    violations.length === 1 && first !== undefined
      ? `${first.pointer}: ${first.detail}`
      : `${violations.length} fields are wrong, so nothing was stored. See "errors".`
  return new Problem(code, detail, { errors: violations })
}
