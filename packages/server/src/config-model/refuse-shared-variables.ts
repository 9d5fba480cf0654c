import { variableNameOf, type ProblemLocation } from '@signalbox/contract'
import { toJsonPointer } from '../http/input/json-pointer.ts'
import type { Definition } from './definition.ts'
import { refuseViolations } from './refuse.ts'
import { createTakenVariables } from './taken-variables.ts'

/**
 * Refuses a definition in which a key declares the variable of another one.
 *
 * @throws {Problem} `validation_failed` with a pointer to each variable that another key has too
 */
export function refuseSharedVariables(definition: Definition): void {
  const taken = createTakenVariables()
  const violations = new Map<string, ProblemLocation>()
  const report = (key: string, other: string) => {
    const variable = definition.get(key)?.variable
    if (variable === undefined) return
    const detail = `${other} has the variable ${variableNameOf(key, variable)} too, or one that differs only in case. Name another one.`
    const pointer = toJsonPointer(['schema', key, 'variable'])
    violations.set(key, { pointer, code: 'validation_failed', detail })
  }
  for (const [key, { variable }] of definition) {
    const other = taken.add({ key, variable })
    if (other === undefined) continue
    report(other, key)
    report(key, other)
  }
  if (violations.size > 0) throw refuseViolations([...violations.values()])
}
