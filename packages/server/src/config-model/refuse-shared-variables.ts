import { findNameCollisions, variableNameOf } from '@signalbox/contract'
import { toJsonPointer } from '../http/input/json-pointer.ts'
import type { Definition } from './definition.ts'
import { refuseViolations } from './refuse.ts'

/**
 * Refuses a definition in which a key declares the variable of another one. Names that only become the same are told by
 * whoever reads them as variables: schemas have them, and most programs read by key.
 *
 * @throws {Problem} `validation_failed` with a pointer to each variable that another key has too
 */
export function refuseSharedVariables(definition: Definition): void {
  const nameOf = (key: string) => variableNameOf(key, definition.get(key)?.variable)
  const collisions = [...findNameCollisions(definition.keys(), nameOf)]
  const violations = collisions.flatMap(([, keys]) =>
    keys
      .filter((key) => definition.get(key)?.variable !== undefined)
      .map((key) => {
        const others = keys.filter((other) => other !== key).join(' and ')
        const detail = `${others} has the variable ${nameOf(key)} too, or one that differs only in case. Name another one.`
        return {
          pointer: toJsonPointer(['schema', key, 'variable']),
          code: 'validation_failed' as const,
          detail,
        }
      }),
  )
  if (violations.length > 0) throw refuseViolations(violations)
}
