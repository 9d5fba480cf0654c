import { parseEnvText, type EnvAssignment } from '@signalbox/contract'
import { ExportError, type Importer, type LeftOutKey, requireEnvironment } from '../importer.ts'
import { resolveReferences } from './resolve-references.ts'
import { toReadExport } from './to-read-export.ts'
import { createToIssue, type ReadVariables, type ToIssue, type Variable } from './variable.ts'

/** Reads an .env file, and looks up what its values refer to in the file. */
export const dotenv: Importer = {
  source: 'dotenv',
  variableCodes: 'ENV',
  fromFile: (text, options) => {
    const environment = requireEnvironment(options, 'An .env file')
    const toIssue = createToIssue('ENV')
    const { assignments, repeated, bare } = readAssignments(text)
    const { variables, leftOut } = expand(assignments, new Set(repeated), toIssue)
    const all = [...leftOut, ...bare.map((line) => toBare(line, toIssue))]
    return toReadExport({ variables, leftOut: all }, { environment, toIssue })
  },
}

/** Parses an .env file. @throws {ExportError} with the line of the violation */
export function readAssignments(text: string) {
  const { assignments, unread, repeated } = parseEnvText(text)
  const lines = text.split(/\r\n?|\n/)
  const isBare = (line: number) => bareName.test(lines[line - 1] ?? '')
  const first = unread.find((line) => !isBare(line))
  if (first !== undefined) {
    throw new ExportError(`Line ${first} is no assignment such as NAME=value.`)
  }
  if (assignments.length === 0) throw new ExportError('The file sets no variable.')
  return { assignments, repeated, bare: unread }
}

/**
 * Matches a line that is a name alone. It has no lower-case letters, because a line of a key in Base64 without its quotes must
 * not pass for one.
 */
const bareName = /^\s*(?:export\s+)?[A-Z_][A-Z0-9_]{0,63}\s*$/

/** Leaves out a name without a value. It is called by its line: what looks like a name may be a part of a secret. */
export function toBare(line: number, toIssue: ToIssue): LeftOutKey {
  const cause = 'The line has a name and no value: docker and compose take that of the machine.'
  return { from: `line ${line}`, issues: [toIssue('V011', 'medium', cause, 'It is left out.')] }
}

/** Returns what one line sets. */
export function toVariable(
  { name, value, refers }: EnvAssignment,
  repeated: ReadonlySet<string>,
  toIssue: ToIssue,
): Variable {
  const issues = [
    ...(repeated.has(name)
      ? [toIssue('V008', 'low', 'The file sets it more than once.', 'The last line counts.')]
      : []),
    ...(refers
      ? [
          toIssue(
            'R004',
            'medium',
            'The value has a $, which some programs replace.',
            'It is taken as it is.',
          ),
        ]
      : []),
  ]
  return { name, from: name, value, isSecret: false, issues }
}

function expand(
  assignments: readonly EnvAssignment[],
  repeated: ReadonlySet<string>,
  toIssue: ToIssue,
): ReadVariables {
  const byName = new Map(assignments.map((assignment) => [assignment.name, assignment]))
  const lookUp = (name: string) => {
    const assignment = byName.get(name)
    return assignment && { value: assignment.value, expands: assignment.refers }
  }
  const variables: Variable[] = []
  const leftOut: LeftOutKey[] = []
  for (const assignment of assignments) {
    const { name } = assignment
    const resolved = resolveReferences(name, lookUp, toIssue)
    if ('leftOut' in resolved) leftOut.push({ from: name, issues: [resolved.leftOut] })
    else {
      const { value } = resolved
      const variable = toVariable({ ...assignment, value, refers: false }, repeated, toIssue)
      variables.push({ ...variable, issues: [...variable.issues, ...resolved.issues] })
    }
  }
  return { variables, leftOut }
}
