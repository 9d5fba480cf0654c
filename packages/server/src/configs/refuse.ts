import { Problem, type ProblemCode, type ProblemLocation } from '@signalbox/contract'

/** Returns one problem for all faults. It has their code when all have the same one, else `validation_failed`. */
export function refuseFaults(faults: readonly ProblemLocation[]): Problem {
  const codes = new Set(faults.map(({ code }) => code))
  const [only] = codes
  const code: ProblemCode = only !== undefined && codes.size === 1 ? only : 'validation_failed'
  const [first] = faults
  const detail =
    faults.length === 1 && first !== undefined
      ? `${first.pointer}: ${first.detail}`
      : `${faults.length} fields are wrong, so nothing was stored. See "errors".`
  return new Problem(code, detail, { errors: faults })
}
