import { variableNameOf } from '@signalbox/contract'
import type { Definition } from '../../config-model/definition.ts'

/** Names a key, with the variable that it declares. */
export interface VariableOfKey {
  readonly key: string
  readonly variable?: string | undefined
}

/** Knows which key has which variable, while keys are added. */
export interface TakenVariables {
  /** Adds a key, or returns why its variable belongs to another one. */
  add(key: VariableOfKey): string | undefined
}

/** Creates the list of the variables of a definition. Two keys may only become the same one: neither declares it. */
export function createTakenVariables(definition: Definition): TakenVariables {
  const known = new Map<string, VariableOfKey>()
  const slotOf = ({ key, variable }: VariableOfKey) => variableNameOf(key, variable).toUpperCase()
  for (const [key, { variable }] of definition)
    known.set(slotOf({ key, variable }), { key, variable })
  return {
    add(added) {
      const other = known.get(slotOf(added))
      const isDeclared = (added.variable ?? other?.variable) !== undefined
      if (other !== undefined && other.key !== added.key && isDeclared) {
        return `${other.key} has the variable ${variableNameOf(added.key, added.variable)} already. Rename one of them.`
      }
      known.set(slotOf(added), added)
      return undefined
    },
  }
}
