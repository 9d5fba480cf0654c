import type { ImportPlan } from '@signalbox/contract/rest'
import type { ConfigSchema } from '../../api/operations.ts'
import { composeDefinition } from '../../init/compose-definition.ts'

/** Holds the imported keys as a definition file, and what has to be done with it. */
export interface ImportedDefinition {
  readonly text: string
  readonly advice: string | undefined
}

/**
 * Returns the keys of an import as a definition file, so that a team that declares its keys in code has them there too. A push of
 * the file changes nothing but that code declares them. It holds no value of a secret.
 */
export async function composeImported(
  { keys }: ImportPlan,
  { schema }: ConfigSchema,
): Promise<ImportedDefinition> {
  const imported = new Set(keys.map(({ key }) => key))
  const own = Object.entries(schema).filter(([key]) => imported.has(key))
  const text = (await composeDefinition(Object.fromEntries(own))).trimEnd()
  const others = Object.keys(schema).length - own.length
  if (others === 0) return { text, advice: undefined }
  const advice = `The schema also has ${count(others)} from elsewhere. Copy the lines into the definition that declares the others: push --prune removes what its file doesn't declare.`
  return { text, advice }
}

/** Returns what a team that declares its keys in code does after an import. */
export function definitionAdvice(created: number): string {
  return `${count(created)} ${created === 1 ? 'is' : 'are'} new on the server. If you declare keys in signalbox.config.ts, repeat the command with --print-definition for the lines.`
}

function count(keys: number): string {
  return keys === 1 ? '1 key' : `${keys} keys`
}
