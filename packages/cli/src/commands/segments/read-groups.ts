import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CallInput } from '../../api/operations.ts'
import { isRecord } from '../../project/json.ts'
import type { Session } from '../../session.ts'
import { CliError } from '../../terminal/cli-error.ts'

/** Lists the groups of a segment, as a request has them. */
type Groups = NonNullable<CallInput<'replaceSegment'>['body']>['anyOf']

/**
 * Reads the groups of a segment out of a file: a list of groups, or what `signalbox segments show --json` prints. The server
 * checks the groups.
 *
 * @throws {CliError} `invalid_groups` for another content
 */
export async function readGroups({ cwd }: Pick<Session, 'cwd'>, file: string): Promise<Groups> {
  const path = resolve(cwd, file)
  const groups = findGroups(parseJson(await readFile(path, 'utf8')))
  if (groups !== undefined) return groups
  throw new CliError('usage', 'invalid_groups', `${path} is no JSON list of groups.`, {
    advice: `Write it like this: ${JSON.stringify(example)}`,
  })
}

const example = [{ when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }] }]

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function findGroups(content: unknown): Groups | undefined {
  if (isRecord(content)) return findGroups(content['segment'] ?? content['anyOf'])
  if (!Array.isArray(content)) return undefined
  // The server checks the groups, and points at each violation.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return content as Groups
}
