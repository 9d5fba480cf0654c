import { variableNameOf } from '@signalbox/contract'

/** Names a key, with the variable that it declares. */
export interface VariableOfKey {
  readonly key: string
  readonly variable?: string | undefined
}

/** Knows which key has which variable, while keys are added. Names that differ only in case are one. */
export interface TakenVariables {
  /** Adds a key. Returns the key that has its variable already, where one of the two declares it: programs would get only one. */
  add(key: VariableOfKey): string | undefined
}

/** Creates the list without keys. Keys that only become the same variable are taken: schemas have them, and most programs read by key. */
export function createTakenVariables(): TakenVariables {
  const known = new Map<string, VariableOfKey>()
  return {
    add(added) {
      const name = variableNameOf(added.key, added.variable).toUpperCase()
      const other = known.get(name)
      if (other === undefined || other.key === added.key) known.set(name, added)
      else if ((added.variable ?? other.variable) !== undefined) return other.key
      return undefined
    },
  }
}
